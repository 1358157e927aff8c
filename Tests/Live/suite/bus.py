"""A message bus that looks to a client as if only RealtimeKit were on it."""
import os
import socket
import struct
import threading


def _aligned(data, boundary):
    return data + b"\0" * (-len(data) % boundary)


def _string(text):
    return struct.pack("<I", len(text)) + text.encode() + b"\0"


class RealtimeBus:
    """Answers one client at a time at a socket; grants real-time scheduling as RealtimeKit does."""

    def __init__(self, path, most=20):
        self.address = f"unix:path={path}"
        self.granted = []
        self._most = most
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self):
        self._server.close()

    def _serve(self):
        while True:
            try:
                client, _ = self._server.accept()
            except OSError:
                return
            try:
                with client:
                    self._talk(client)
            except (OSError, struct.error):
                pass

    def _talk(self, client):
        said = b""
        while b"BEGIN\r\n" not in said:
            piece = client.recv(4096)
            if not piece:
                return
            said += piece
            while b"\r\n" in said and not said.startswith(b"BEGIN"):
                line, said = said.split(b"\r\n", 1)
                line = line.lstrip(b"\0")
                if line.startswith(b"AUTH"):
                    client.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
                elif line == b"DATA":
                    client.sendall(b"OK 0123456789abcdef0123456789abcdef\r\n")
                elif line.startswith(b"NEGOTIATE"):
                    client.sendall(b"ERROR\r\n")
        rest = said.split(b"BEGIN\r\n", 1)[1]
        while True:
            while len(rest) < 16 or len(rest) < self._length(rest):
                piece = client.recv(4096)
                if not piece:
                    return
                rest += piece
            length = self._length(rest)
            self._answer(client, rest[:length])
            rest = rest[length:]

    @staticmethod
    def _length(message):
        body, = struct.unpack_from("<I", message, 4)
        fields, = struct.unpack_from("<I", message, 12)
        return 16 + (fields + 7) // 8 * 8 + body

    def _answer(self, client, message):
        body_length, serial, fields = struct.unpack_from("<III", message, 4)
        head, body = message[:16 + fields], message[len(message) - body_length:]
        if message[1] != 1:
            return
        if b"Hello\0" in head:
            self._reply(client, serial, "s", _string(":1.1"))
        elif b"MakeThreadRealtime\0" in head:
            thread, priority = struct.unpack_from("<QI", body)
            os.sched_setscheduler(
                thread, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(priority))
            self.granted.append((thread, priority))
            self._reply(client, serial, "", b"")
        elif b"MaxRealtimePriority\0" in body:
            self._reply(client, serial, "v", b"\1i\0\0" + struct.pack("<i", self._most))
        elif b"RTTimeUSecMax\0" in body:
            self._reply(client, serial, "v", b"\1x\0\0\0\0\0\0" + struct.pack("<q", 200000))

    @staticmethod
    def _reply(client, serial, signature, body):
        fields = b"\5\1u\0" + struct.pack("<I", serial)
        if signature:
            fields += b"\x08\1g\0" + bytes([len(signature)]) + signature.encode() + b"\0"
        head = struct.pack("<BBBBIII", ord("l"), 2, 0, 1, len(body), 1, len(fields)) + fields
        client.sendall(_aligned(head, 8) + body)

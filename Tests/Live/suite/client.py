"""A client of fxrun's control socket."""
import json
import socket
import time


class Client:
    """A connection: each request gets one answer; events are kept in a list of their own."""

    def __init__(self, path, limit=5.0):
        deadline = time.monotonic() + limit
        while True:
            self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            try:
                self.socket.connect(str(path))
                break
            except OSError:
                self.socket.close()
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.02)
        self.socket.settimeout(limit)
        self._received = b""
        self.events = []

    def send(self, request):
        """Sends an object as JSON, or bytes unchanged as a line."""
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.socket.sendall(line + b"\n")

    def line(self):
        """The next line, or None at the end of the connection."""
        while b"\n" not in self._received:
            more = self.socket.recv(65536)
            if not more:
                return None
            self._received += more
        line, self._received = self._received.split(b"\n", 1)
        return json.loads(line)

    def answer(self):
        """The next answer; events before it are kept."""
        while True:
            line = self.line()
            if line is None or "event" not in line:
                return line
            self.events.append(line)

    def ask(self, **request):
        self.send(request)
        return self.answer()

    def event(self, name, **members):
        """Waits for an event with these members."""
        while True:
            for event in self.events:
                if event["event"] == name and members.items() <= event.items():
                    return event
            line = self.line()
            if line is None:
                return None
            self.events.append(line)

    def close(self):
        self.socket.close()

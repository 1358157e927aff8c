"""A web server on the loopback interface that sends sounds in ways that are hard for a player."""

import http.server
import threading
import time
import wave
import io


def wav_header(channels, rate, byte_count):
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setnchannels(channels)
        sound.setsampwidth(2)
        sound.setframerate(rate)
    header = bytearray(file.getvalue())
    header[4:8] = (byte_count + 36).to_bytes(4, "little")
    header[40:44] = byte_count.to_bytes(4, "little")
    return bytes(header)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.0"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        send = getattr(self, "send_" + self.path.strip("/"), None)
        if send is None:
            return self.send_error(404)
        try:
            send()
        except (BrokenPipeError, ConnectionResetError):
            pass

    def begin(self, **headers):
        self.send_response(200)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), str(value))
        self.end_headers()

    def send_hour(self):
        """One hour of 16-bit stereo at 48 kHz, as fast as the client reads."""
        byte_count = 3600 * 192_000
        self.begin(Content_Type="audio/wav")
        self.wfile.write(wav_header(2, 48000, byte_count))
        block = bytes(range(256)) * 750
        for _ in range(byte_count // len(block)):
            self.wfile.write(block)

    def send_trickle(self):
        """Six seconds at 1.05 times real time."""
        self.begin(Content_Type="audio/wav")
        self.wfile.write(wav_header(2, 48000, 6 * 192_000))
        start = time.monotonic()
        for step in range(6 * 50):
            time.sleep(max(start + step / 50 / 1.05 - time.monotonic(), 0))
            self.wfile.write(bytes([0, 16]) * 1920)

    def send_stall(self):
        """Eight seconds: four at once, and four after a pause."""
        self.begin(Content_Type="audio/wav")
        self.wfile.write(wav_header(2, 48000, 8 * 192_000))
        self.wfile.write(bytes([0, 16]) * 96000 * 4)
        self.wfile.flush()
        time.sleep(7)
        self.wfile.write(bytes([0, 16]) * 96000 * 4)


class Server:
    def __enter__(self):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def address(self, path):
        return f"http://127.0.0.1:{self.server.server_address[1]}/{path}"

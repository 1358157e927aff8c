"""Opens pages in Chromium, as wide as a phone and as a desktop."""

import functools
import html
import http.server
import json
import re
import subprocess
import sys
import threading

WIDTHS = (390, 1280)
# Shows each page in a frame of that width; reports overflow and files that did not load.
FRAME = """<!doctype html><title></title><iframe width="{width}" height="2000" style="border:0"></iframe><script>
const frame = document.querySelector('iframe')
const pause = () => new Promise(done => setTimeout(done, 50))
const open = name => new Promise(done => {{ frame.onload = done; frame.src = '/' + name }})
const state = async name => {{
  await open(name)
  const page = frame.contentDocument
  const images = [...page.images]
  const sounds = [...page.querySelectorAll('audio')]
  images.forEach(image => image.loading = 'eager')
  sounds.forEach(sound => {{ sound.preload = 'metadata'; sound.load() }})
  const lost = () => images.filter(image => !image.naturalWidth).map(image => image.getAttribute('src'))
  const silent = () => sounds.filter(sound => !(sound.duration > 0)).map(sound => sound.getAttribute('src'))
  for (let turn = 0; turn < 400 && lost().length + silent().length > 0; turn++) await pause()
  return {{name, wide: page.documentElement.scrollWidth - {width}, lost: lost(), silent: silent()}}
}}
(async () => {{
  const states = []
  for (const name of {pages}) states.push(await state(name))
  document.title = JSON.stringify(states)
}})()
</script>"""


class Server(http.server.ThreadingHTTPServer):
    """Ignores the error when a browser stops reading a sound."""

    def handle_error(self, request, client_address):
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments, pages, **settings):
        self.pages = pages
        super().__init__(*arguments, **settings)

    def log_message(self, *_):
        pass

    def do_GET(self):
        width = re.match(r"/width-(\d+)$", self.path)
        if not width:
            return super().do_GET()
        body = FRAME.format(width=width[1], pages=json.dumps(self.pages)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        return self.wfile.write(body)


def check(folder, pages=("index.html",)):
    """The faults of the pages in a folder."""
    handler = functools.partial(Handler, directory=str(folder), pages=list(pages))
    faults = []
    with Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        for width in WIDTHS:
            address = f"http://127.0.0.1:{server.server_port}/width-{width}"
            options = ["--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=600000", f"--window-size={width + 100},2100"]
            found = subprocess.run(
                ["chromium", *options, "--dump-dom", address], capture_output=True, text=True, timeout=600, check=False).stdout
            title = re.search(r"<title>(.*?)</title>", found, re.S)
            if not title or not title[1]:
                faults.append(f"Chromium at {width} pixels: the pages did not load")
                continue
            for state in json.loads(html.unescape(title[1])):
                place = f"{state['name']} at {width} pixels"
                if state["wide"] > 0:
                    faults.append(f"{place}: {state['wide']} pixels too wide")
                faults += [f"{place}: {name} does not load" for name in state["lost"] + state["silent"]]
        server.shutdown()
    return faults

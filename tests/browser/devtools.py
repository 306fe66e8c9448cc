"""Controls a headless Chromium with the DevTools protocol, through two pipes, for pages.py. This module needs only
Python's standard library.

https://chromedevtools.github.io/devtools-protocol/
"""
import json
import os
import select
import shutil
import subprocess
import time

NAMES = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"]


def find():
    """Returns the path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """A browser process with one page, for use in a `with` statement. A call that takes over five minutes is an error."""

    def __init__(self, program, profile):
        to_browser, self.requests = os.pipe()
        self.answers, from_browser = os.pipe()
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run",
                 "--remote-debugging-pipe", f"--user-data-dir={profile}", "about:blank"]
        redirected = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(["sh", "-c", redirected, "sh", program, *flags],
                                        pass_fds=(to_browser, from_browser),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.unread = b""
        self.number = 0
        self.session = None
        self.console = []  # messages that the page logs or throws
        self.loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Accessibility"]:
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.requests)  # this ends the browser
        os.close(self.answers)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def _read(self, until):
        """Returns the next message."""
        while b"\0" not in self.unread:
            if not select.select([self.answers], [], [], max(0, until - time.monotonic()))[0]:
                raise TimeoutError("the browser does not answer")
            part = os.read(self.answers, 1 << 20)
            if not part:
                raise EOFError("the browser has ended")
            self.unread += part
        message, self.unread = self.unread.split(b"\0", 1)
        return json.loads(message)

    def _note(self, message):
        """Notes an event."""
        what, about = message.get("method"), message.get("params", {})
        if what == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(a.get("value", a.get("description"))) for a in about["args"]))
        elif what == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.console.append(details.get("exception", {}).get("description", details["text"]))
        elif what == "Log.entryAdded":
            self.console.append(about["entry"]["text"])
        elif what == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **parameters):
        """Calls a method of the protocol and returns its result."""
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        data = json.dumps(request).encode() + b"\0"
        while data:
            data = data[os.write(self.requests, data):]
        until = time.monotonic() + 300
        while True:
            message = self._read(until)
            if message.get("id") != self.number:
                self._note(message)
            elif "error" in message:
                raise RuntimeError(f"{method}: {message['error']['message']}")
            else:
                return message["result"]

    def processor_time(self):
        """Returns the CPU time, in seconds, that all processes of the browser have used so far."""
        page, self.session = self.session, None
        processes = self.call("SystemInfo.getProcessInfo")["processInfo"]
        self.session = page
        return sum(p["cpuTime"] for p in processes)

    def open(self, url, width=1280, height=1000):
        """Loads a page in a window of this size."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=width < 600)
        self.loaded = False
        self.call("Page.navigate", url=url)
        until = time.monotonic() + 300
        while not self.loaded:
            self._note(self._read(until))
        # The event may be from the previous page, which may have been loading, or may refresh
        # itself.
        while not self._is_at(url.split("#")[0]):
            if time.monotonic() > until:
                raise TimeoutError(f"{url} is not loaded")
            time.sleep(0.05)

    def _is_at(self, url):
        try:
            return self.run(f"document.readyState === 'complete' && location.href.split('#')[0] === {json.dumps(url)}")
        except RuntimeError:  # the previous page has just ended
            return False

    def run(self, script):
        """Returns the value of an expression in the page. If the value is a promise, waits for its result."""
        result = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
        return result["result"].get("value")

    def press(self, key, text=""):
        """Presses and releases a key, given by its DOM name."""
        codes = {"Tab": 9, "Enter": 13, " ": 32, "PageDown": 34, "End": 35, "ArrowRight": 39}
        about = {"key": key, "windowsVirtualKeyCode": codes[key], "code": "Space" if key == " " else key}
        text = text or {"Enter": "\r", " ": " "}.get(key, "")
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **about)
        self.call("Input.dispatchKeyEvent", type="keyUp", **about)

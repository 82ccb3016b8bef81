"""A real browser for tests, and a wire to the site that can be cut."""

import contextlib
import os
import shutil
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from selenium import webdriver
from selenium.webdriver import ActionChains
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

SECONDS = 30.0
"""After which something that should have happened has not."""

PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Other windows and hidden tabs must not slow what a test waits for.
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
)


def missing() -> str:
    """Return which of the programs that a browser test needs is not there, or nothing."""
    if not any(map(shutil.which, PROGRAMS)):
        return "chromium is not installed (Debian: apt-get install chromium chromium-driver)"
    if not shutil.which("chromedriver"):
        return "chromedriver is not installed (Debian: apt-get install chromium-driver)"
    return ""


class Browser:
    """A browser with one window."""

    def __init__(self, driver: webdriver.Chrome) -> None:
        self.driver = driver
        self.url = ""

    def look(
        self, width: int = 1280, height: int = 900, *, scheme: str = "dark", still: bool = False
    ) -> None:
        """Set what the window and its user are like."""
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        features = [
            {"name": "prefers-color-scheme", "value": scheme},
            {"name": "prefers-reduced-motion", "value": "reduce" if still else "no-preference"},
        ]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})

    def forget(self) -> None:
        """Lose all cookies, those of other paths as well."""
        self.driver.execute_cdp_cmd("Network.clearBrowserCookies", {})

    def open(self, path: str, ready: str = "return true") -> None:
        """Go to a page of the site and wait until a script says that it is ready."""
        # The same document with another fragment would not be loaded again.
        self.driver.get("about:blank")
        self.driver.get(self.url + path)
        self.until(ready)

    def script(self, text: str, *arguments: Any) -> Any:
        """Run a script in the page and return what it returns."""
        return self.driver.execute_script(text, *arguments)

    def waiting(self, text: str, *arguments: Any) -> Any:
        """Run a script that hands its value to its last argument, a function."""
        self.driver.set_script_timeout(SECONDS)
        return self.driver.execute_async_script(text, *arguments)

    def until(self, text: str, *arguments: Any) -> Any:
        """Wait until a script returns something, and return it."""
        wait = WebDriverWait(self.driver, SECONDS, poll_frequency=0.02)
        return wait.until(lambda _: self.script(text, *arguments), text)

    def find(self, selector: str) -> WebElement:
        """Return an element, once it is there."""
        found = self.until("return document.querySelector(arguments[0])", selector)
        assert isinstance(found, WebElement)
        return found

    def text(self, selector: str) -> str:
        """Return the text of an element, once it is there."""
        return str(self.until("return document.querySelector(arguments[0])?.innerText", selector))

    def says(self, selector: str, words: str) -> None:
        """Wait until an element's text has these words."""
        self.until(
            "return document.querySelector(arguments[0])?.textContent.includes(arguments[1])",
            selector,
            words,
        )

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is."""
        ActionChains(self.driver, duration=0).send_keys(*keys).perform()

    def complaints(self) -> list[str]:
        """Return what the console said since the last time, without what is no one's fault."""
        log: list[dict[str, Any]] = self.driver.get_log("browser")  # type: ignore[no-untyped-call]
        return [entry["message"] for entry in log if entry["level"] in ("WARNING", "SEVERE")]


@contextmanager
def browsing() -> Iterator[Browser]:
    """Run a browser without a window on a screen, and with an empty memory."""
    options = Options()
    for flag in FLAGS:
        options.add_argument(flag)
    options.binary_location = next(filter(None, map(shutil.which, PROGRAMS)))
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    with tempfile.TemporaryDirectory(
        prefix="croupier-browser-", ignore_cleanup_errors=True
    ) as profile:
        options.add_argument(f"--user-data-dir={profile}")
        # Selenium would ask the network for a driver if it were not told of one.
        service = Service(shutil.which("chromedriver"), env={**os.environ, "SE_OFFLINE": "true"})
        driver = webdriver.Chrome(options=options, service=service)
        try:
            yield Browser(driver)
        finally:
            driver.quit()


class Wire:
    """What lies between the browser and the site; it can be cut and mended."""

    def __init__(self, site: str) -> None:
        parts = urlsplit(site)
        assert parts.hostname is not None
        assert parts.port is not None
        self._site = (parts.hostname, parts.port)
        self._whole = True
        self._lock = threading.Lock()
        self._ends: set[socket.socket] = set()
        self._listener = socket.create_server(("127.0.0.1", 0))
        host, port = self._listener.getsockname()
        self.url = f"http://{host}:{port}"
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """Break every connection, and let no new one through."""
        with self._lock:
            self._whole = False
            ends = list(self._ends)
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """Let connections through again."""
        with self._lock:
            self._whole = True

    def close(self) -> None:
        """End it."""
        self.cut()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            with self._lock:
                if not self._whole:
                    near.close()
                    continue
                far = socket.create_connection(self._site)
                self._ends |= {near, far}
            left = [2]
            for source, target in ((near, far), (far, near)):
                threading.Thread(
                    target=self._carry, args=(source, target, left), daemon=True
                ).start()

    def _carry(self, source: socket.socket, target: socket.socket, left: list[int]) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_RDWR)
        with self._lock:
            left[0] -= 1
            if left[0]:
                return
            self._ends -= {source, target}
        source.close()
        target.close()

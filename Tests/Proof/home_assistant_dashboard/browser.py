"""A Chromium without a screen, that is used as a person does: seen by what is shown, pressed by the mouse."""

import importlib.util
import re
from pathlib import Path

from proving.processes import installed
from proving.record import Failed, NotRun
from proving.waiting import PATIENCE, eventually, until

WIDTH, HEIGHT = 1280, 800

FOLDED = 100
"""What a side bar with icons alone is narrower than."""

MAP = "/api/map_tiles/"
"""Where Home Assistant would fetch maps from their makers: here they are blank."""

MOST_PICTURES = 20
"""That are taken of a page that does not come to rest."""

PAGE = (Path(__file__).parent / "page.js").read_text()
"""Functions that look through the shadow roots of the page's elements."""

MISTAKES = r"Configuration error|Entity not (found|available)|is not available|Unavailable|Unknown type|Error"


def expect_installed():
    """What a browser needs."""
    installed("chromium")
    installed("chromedriver")
    if importlib.util.find_spec("selenium") is None:
        raise NotRun("python3-selenium is not installed")


class Browser:
    def __init__(self, folder):
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
        options = webdriver.ChromeOptions()
        options.binary_location = installed("chromium")
        for argument in [
                "headless=new", "no-sandbox", "disable-dev-shm-usage", f"window-size={WIDTH},{HEIGHT}", "lang=en",
                "force-device-scale-factor=1", "hide-scrollbars", "force-prefers-reduced-motion",
                "disable-background-networking", "disable-component-update", "no-first-run",
                # Nobody but this machine.
                "host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"user-data-dir={folder / 'chromium'}"]:
            options.add_argument(f"--{argument}")
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        service = Service(installed("chromedriver"), log_path=str(folder / "chromedriver.log"))
        self.driver = webdriver.Chrome(service=service, options=options)
        self.driver.set_script_timeout(PATIENCE)
        # The driver's window is taller than the page in it.
        self.driver.execute_cdp_cmd("Network.enable", {})
        self.driver.execute_cdp_cmd("Network.setBlockedURLs", {"urls": [f"*{MAP}*"]})
        self.size(HEIGHT)

    @property
    def version(self):
        return self.driver.capabilities["browserVersion"]

    def close(self):
        self.driver.quit()

    # ---- the page

    def open(self, address):
        self.driver.get(address)

    def ask(self, function, *arguments):
        return self.driver.execute_script(f"{PAGE}\nreturn {function}(...arguments)", *arguments)

    def find(self, function, *arguments, seconds=PATIENCE):
        found = until(lambda: self.ask(function, *arguments), seconds, every=0.2)
        if not found:
            raise Failed(f"the page has no {function} {arguments}: {self.text()[-300:]}")
        return found

    def text(self):
        return self.ask("textOf", None)

    def log_in(self, address, name, password):
        from selenium.webdriver.common.keys import Keys
        self.open(address)
        self.type(self.find("input", "username"), name)
        self.type(self.find("input", "password"), password + Keys.ENTER)
        self.find("all", "home-assistant-main")

    @staticmethod
    def type(element, text):
        element.click()
        element.send_keys(text)

    # ---- pressing

    def actions(self):
        from selenium.webdriver import ActionChains
        return ActionChains(self.driver, duration=50)

    def press(self, element):
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        self.actions().move_to_element(element).click().perform()

    def drag(self, element, start, end):
        """Along it, from one share of its width to another."""
        self.driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", element)
        width = element.size["width"]
        at = [round((share - 0.5) * width) for share in (start, end)]
        actions = self.actions().move_to_element_with_offset(element, at[0], 0).click_and_hold()
        for part in range(1, 6):
            actions.move_to_element_with_offset(element, round(at[0] + (at[1] - at[0]) * part / 5), 0)
        actions.release().perform()

    def press_in_side_bar(self, name, is_there):
        """Again, when a page that was just loading has not heard it."""
        def missing():
            if until(is_there, 5, every=0.2):
                return []
            self.press(self.find("labelled", "ha-list-item-button, ha-md-list-item", name))
            return [f"{name} does not lead there"]
        self.press(self.find("labelled", "ha-list-item-button, ha-md-list-item", name))
        eventually(missing)

    def fold_side_bar(self):
        self._make_side_bar(lambda width: width < FOLDED)

    def unfold_side_bar(self):
        self._make_side_bar(lambda width: width >= FOLDED)

    def _make_side_bar(self, is_right):
        def wrong():
            width = self.ask("all", "ha-sidebar")[0].size["width"]
            if is_right(width):
                return []
            self.press(self.find("labelled", "ha-icon-button", "Sidebar toggle"))
            return [f"the side bar is {width} wide"]
        eventually(wrong)

    def choose(self, entity, option):
        """In the menu of an entity's card."""
        self.press(self.find("part", entity, "ha-control-select-menu", None))
        self.press(self.find("option", option))

    # ---- what is seen

    def expect(self, entity, pattern):
        """Waits until the card of an entity shows this."""
        def wrong():
            text = self.ask("textOfCard", entity)
            return [] if text is not None and re.search(pattern, text) else [
                f"the card of {entity} shows {text!r}, not {pattern!r}"]
        eventually(wrong)

    def expect_text(self, pattern):
        """Waits until this stands anywhere on the page."""
        def wrong():
            text = self.text()
            return [] if re.search(pattern, text) else [f"the page shows {text[-300:]!r}, not {pattern!r}"]
        eventually(wrong)

    def mistakes(self):
        """Cards that cannot be shown, and what stands in their place."""
        return self.ask("mistakes", MISTAKES)

    def complaints(self):
        """What the page's own programs fail of, but for integrations that this Home Assistant goes without."""
        return [
            line["message"] for line in self.driver.get_log("browser")
            if line["level"] == "SEVERE" and "Unknown command" not in line["message"] and MAP not in line["message"]]

    def picture(self, file):
        """As high as what is shown, with the mouse elsewhere."""
        self.driver.execute_script("window.scrollTo(0, 0)")
        actions = self.actions()
        actions.w3c_actions.pointer_action.move_to_location(WIDTH // 2, 10)
        actions.perform()
        self.size(self.ask("heightOfCards"))
        last = None
        for _ in range(MOST_PICTURES):
            # Until nothing moves any more.
            before, last = last, self.driver.get_screenshot_as_png()
            if last == before:
                break
        self.size(HEIGHT)
        file.write_bytes(last)

    def size(self, height):
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": WIDTH, "height": height, "deviceScaleFactor": 1, "mobile": False})

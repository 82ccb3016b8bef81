// The switches at the right of the bar: light or dark, and the language. Both are kept.

import { h } from "./dom.js";
import { language, t } from "./words.js";

const YEAR_S = 365 * 24 * 3600;
const LANGUAGES = { en: "English", zh: "中文" };

function keep(name, value) {
  document.cookie = `${name}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}

function themeNow() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ?? (matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark");
}

function themeSwitch() {
  const text = () => (themeNow() === "dark" ? t("Light") : t("Dark"));
  const button = h(
    "button",
    {
      type: "button",
      class: "theme",
      title: t("Change the colours"),
      onclick: () => {
        const other = themeNow() === "dark" ? "light" : "dark";
        document.documentElement.dataset.theme = other;
        keep("croupier_theme", other);
        button.textContent = text();
      },
    },
    text(),
  );
  return button;
}

function languageSwitch() {
  return Object.entries(LANGUAGES)
    .filter(([code]) => code !== language)
    .map(([code, name]) =>
      h(
        "button",
        {
          type: "button",
          class: "language",
          lang: code,
          onclick: () => {
            keep("croupier_language", code);
            location.reload();
          },
        },
        name,
      ),
    );
}

/** Add the switches to the bar of the page. */
export function addSwitches(header) {
  header.append(h("div", { class: "switches" }, themeSwitch(), languageSwitch()));
}

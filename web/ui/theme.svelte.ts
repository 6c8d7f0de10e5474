export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

const KEY = 'touchstone.theme';

/** Light, dark, or as the system says; remembered in this browser. */
export class ThemeChoice {
  theme = $state<Theme>('system');

  constructor() {
    const kept = localStorage.getItem(KEY);
    this.choose(THEMES.find((theme) => theme === kept) ?? 'system');
  }

  choose(theme: Theme): void {
    this.theme = theme;
    localStorage.setItem(KEY, theme);
    if (theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
  }
}

import { remember } from './memory';

class Theme {
  now = $state(document.documentElement.dataset['theme'] ?? 'dark');

  toggle(): void {
    this.now = this.now === 'dark' ? 'light' : 'dark';
    document.documentElement.dataset['theme'] = this.now;
    remember('theme', this.now);
  }
}

export const theme = new Theme();

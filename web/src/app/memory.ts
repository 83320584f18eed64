/* Small choices that outlive the page. Storage may be missing or full; then nothing is remembered. */

const PREFIX = 'shieldwall.';

export function remembered(key: string, otherwise: string): string {
  try {
    return localStorage.getItem(PREFIX + key) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key: string, value: string): void {
  try {
    localStorage.setItem(PREFIX + key, value);
  } catch {
    // nothing to do: the choice holds until the page is closed
  }
}

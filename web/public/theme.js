// Before the first paint, so that nothing flashes: the saved theme, else the system's.
(() => {
  let saved = null;
  try {
    saved = localStorage.getItem('shieldwall.theme');
  } catch {
    // storage may be switched off; the system's theme then serves
  }
  const system = matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
  document.documentElement.dataset.theme = saved === 'light' || saved === 'dark' ? saved : system;
})();

// Runs before the first paint, so that a chosen theme never flashes the other one. The page's own code takes over later.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('dark_mode');
  } catch {
    // Storage may be refused; then the system decides.
  }
  const dark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === '1';
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();

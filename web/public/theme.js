// Runs before the first paint, so that a chosen theme never flashes the other one. The page's own code takes over later;
// until then, and on the page of who is not signed in, this follows the system where nothing is chosen.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    let chosen = null;
    try {
      chosen = localStorage.getItem('dark_mode');
    } catch {
      // Storage may be refused; then the system decides.
    }
    const dark = chosen === null ? system.matches : chosen === '1';
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  };
  show();
  system.addEventListener('change', show);
})();

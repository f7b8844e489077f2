// Runs before the first paint: light or dark as chosen, else as the system is. The key is Mantine's own.
let chosen = null;
try {
  chosen = localStorage.getItem('mantine-color-scheme-value');
} catch {
  // Storage may be forbidden; then the system decides.
}
const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

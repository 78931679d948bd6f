// Runs before the first paint: sets the colour scheme that the user chose, else the system's, so that no page flashes.
{
  let chosen = null;
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Without storage, the system's scheme applies.
  }
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const scheme = chosen === 'light' || chosen === 'dark' ? chosen : dark ? 'dark' : 'light';
  const root = document.documentElement;
  const name = 'data-mantine-color-scheme';
  root.setAttribute(name, scheme);

  // Paper is white, so pages are printed in the light scheme.
  let shown = scheme;
  addEventListener('beforeprint', () => {
    shown = root.getAttribute(name);
    root.setAttribute(name, 'light');
  });
  addEventListener('afterprint', () => root.setAttribute(name, shown));
}

// Mail clients support little CSS, so the layout uses tables and inline styles (Outlook renders with Word). Dark mode
// colors are a bonus for clients that support style sheets.

/** Severity of a message. */
export type Tone = 'good' | 'info' | 'warning' | 'critical';

/** Colors on a light background. */
export const colors = {
  ink: '#14213a',
  soft: '#4d5b75',
  line: '#d8deea',
  paper: '#ffffff',
  shade: '#f4f6fb',
  track: '#e4e9f3',
  link: '#1c4fb8',
} as const;

/** Per tone: `strong` for bars and lines, `text` for small text, which needs more contrast (WCAG 2.2, 4.5:1). */
export const toneColors = {
  good: { strong: '#2a9d63', text: '#1a6e44', darkText: '#7fd6a8' },
  info: { strong: '#3b76e0', text: '#1c4fb8', darkText: '#8fb5ff' },
  warning: { strong: '#e59a19', text: '#8a5300', darkText: '#f5c26b' },
  critical: { strong: '#d9423a', text: '#b02a23', darkText: '#ff9d97' },
} as const satisfies Record<Tone, { strong: string; text: string; darkText: string }>;

/** The style sheet in the head of an email. */
export const darkColors = `
  :root { color-scheme: light dark; supported-color-schemes: light dark; }
  @media (max-width: 420px) {
    .outer { padding: 16px 8px !important; }
    .paper { padding: 20px 18px 8px !important; }
  }
  @media (prefers-color-scheme: dark) {
    .shade { background: #0f1626 !important; }
    .paper { background: #18223a !important; border-color: #2f3c55 !important; }
    .ink { color: #e6ebf5 !important; }
    .soft { color: #a9b6cc !important; }
    .line { border-color: #2f3c55 !important; }
    .mark { border-color: #a9b6cc !important; }
    .track { background: #2f3c55 !important; }
    .link { color: #8fb5ff !important; }
${Object.entries(toneColors)
  .map(
    ([tone, { strong, darkText }]) => `    .tone-${tone} { color: ${darkText} !important; }
    .edge-${tone} { border-top-color: ${strong} !important; }`,
  )
  .join('\n')}
  }`;

/** The fonts of every mail. */
export const font = "font-family: system-ui, -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif";

import { createRequire } from 'node:module';

/** Colours of the pages: those of the mails, and of charts a row that stays apart for colour-blind readers. */
export const colors = {
  ink: '#14213a',
  soft: '#5a6780',
  faint: '#8a96ab',
  line: '#dce2ec',
  shade: '#f5f7fb',
  accent: '#1c4fb8',
  tint: '#eaf0fc',
  paper: '#ffffff',
  /** On `ink`. */
  onInk: '#ffffff',
  softOnInk: '#b9c5dc',
  notice: '#fff7e6',
  noticeLine: '#e8a72b',
  /** What is left when the large parts are named. */
  other: '#b4bdcc',
} as const;

const series = [
  '#2f6fdb',
  '#12a18f',
  '#f0a030',
  '#8757d6',
  '#e0607a',
  '#57aee0',
  '#7d8f2c',
  '#b5582d',
  '#46587a',
  '#d0b53c',
] as const;

/** The colour of a chart's n-th part, from 0; what is called `Other` is grey. */
export function seriesColor(index: number, label: string): string {
  return label === 'Other' ? colors.other : (series[index % series.length] ?? colors.other);
}

/** Lengths in points, 1/72 inch. */
export const page = {
  /** A4. */
  short: 595.28,
  long: 841.89,
  side: 44,
  /** Where content starts on pages with a running head. */
  top: 62,
  /** What is left free for the footer. */
  bottom: 54,
} as const;

/** How bold letters are. */
export type Weight = 400 | 600;

/** One letter of a font, as the content of a page names it. */
interface Glyph {
  readonly font: EmbeddedFont;
  /** Its number in the font, four hexadecimal digits. */
  readonly code: string;
  /** Width at a size of 1. */
  readonly advance: number;
}

/** A font as pdfkit embeds it: only the letters used, and only where any is. Its types do not tell of it; setting text by
 *  `document.text` instead takes fifty times as long for tables and remembers every word. */
export interface EmbeddedFont {
  /** Names it in the resources of a page. */
  readonly id: string;
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
  encode(text: string): [codes: string[], positions: { readonly advanceWidth: number }[]];
  /** What the resources of a page refer to. */
  ref(): object;
}

// Noto Sans comes in parts by script; a part is read when a letter is met that those before it lack.
const scripts = ['latin', 'latin-ext', 'cyrillic', 'greek', 'cyrillic-ext', 'vietnamese', 'greek-ext'] as const;
const require = createRequire(import.meta.url);

/** U+FFFD: stands for a letter that Noto Sans lacks. */
export const replacement = '\uFFFD';

/** A font in one weight, of as many scripts as are met. */
export class Typeface {
  readonly #open: (file: string) => EmbeddedFont;
  readonly #weight: Weight;
  readonly #parts: EmbeddedFont[] = [];
  readonly #glyphs = new Map<string, Glyph>();
  /** Whether a letter was met that has no glyph. */
  hasGaps = false;

  /** @param open embeds a font file in the document */
  constructor(open: (file: string) => EmbeddedFont, weight: Weight) {
    this.#open = open;
    this.#weight = weight;
  }

  /** The glyph of one letter. */
  glyph(letter: string): Glyph {
    const known = this.#glyphs.get(letter);
    if (known) return known;
    const glyph = this.#find(letter) ?? this.#missing();
    this.#glyphs.set(letter, glyph);
    return glyph;
  }

  #missing(): Glyph {
    this.hasGaps = true;
    const glyph = this.#find(replacement);
    if (!glyph) throw new Error('Noto Sans lacks U+FFFD');
    return glyph;
  }

  #find(letter: string): Glyph | null {
    const codePoint = letter.codePointAt(0) ?? 0;
    for (const [index, script] of scripts.entries()) {
      const font = (this.#parts[index] ??= this.#open(fileOf(script, this.#weight)));
      if (!font.font.hasGlyphForCodePoint(codePoint)) continue;
      const [codes, positions] = font.encode(letter);
      const advance = positions.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0) / 1000;
      return { font, code: codes.join(''), advance };
    }
    return null;
  }
}

function fileOf(script: string, weight: Weight): string {
  return require.resolve(`@fontsource/noto-sans/files/noto-sans-${script}-${weight}-normal.woff`);
}

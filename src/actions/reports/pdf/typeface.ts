import { createRequire } from 'node:module';

/** Colors of the pages: the same as in emails, with a series for charts that color-blind readers can distinguish. */
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
  /** For the remainder after the largest parts. */
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

/** Returns the color of a chart's n-th part, from 0; `Other` is gray. */
export function seriesColor(index: number, label: string): string {
  return label === 'Other' ? colors.other : (series[index % series.length] ?? colors.other);
}

/** Lengths in points, 1/72 inch. */
export const page = {
  /** A4. */
  short: 595.28,
  long: 841.89,
  side: 44,
  /** Top of content on pages with a running header. */
  top: 62,
  /** Space reserved for the footer. */
  bottom: 54,
} as const;

/** Font weight. */
export type Weight = 400 | 600;

/** A glyph of a font, as encoded in a page's content. */
interface Glyph {
  readonly font: EmbeddedFont;
  /** Glyph id in the font, four hexadecimal digits. */
  readonly code: string;
  /** Advance width at a font size of 1. */
  readonly advance: number;
}

/** A font as pdfkit embeds it: only the glyphs used, and only if there are any. Not part of pdfkit's types, but setting text with
 *  `document.text` takes fifty times as long for tables and caches every word. */
export interface EmbeddedFont {
  /** Name in the resources of a page. */
  readonly id: string;
  readonly font: { hasGlyphForCodePoint(codePoint: number): boolean };
  encode(text: string): [codes: string[], positions: { readonly advanceWidth: number }[]];
  /** Reference from the resources of a page. */
  ref(): object;
}

// Noto Sans is split by script; a part is loaded for the first character that the parts before it lack.
const scripts = ['latin', 'latin-ext', 'cyrillic', 'greek', 'cyrillic-ext', 'vietnamese', 'greek-ext'] as const;
const require = createRequire(import.meta.url);

/** U+FFFD: replaces characters that Noto Sans lacks. */
export const replacement = '\uFFFD';

/** A font in one weight, with scripts loaded on demand. */
export class Typeface {
  readonly #open: (file: string) => EmbeddedFont;
  readonly #weight: Weight;
  readonly #parts: EmbeddedFont[] = [];
  readonly #glyphs = new Map<string, Glyph>();
  /** Whether any character had no glyph. */
  hasGaps = false;

  /** @param open embeds a font file in the document */
  constructor(open: (file: string) => EmbeddedFont, weight: Weight) {
    this.#open = open;
    this.#weight = weight;
  }

  /** Returns the glyph of a character. */
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

import Pdf from 'pdfkit';
import { colors, type EmbeddedFont, Typeface, type Weight } from './typeface.ts';
import { breakLines, breakName, setting, widthOf, type Measure } from './lines.ts';

/** Text style. */
export interface Style {
  /** In points. */
  readonly size: number;
  /** Default: regular. */
  readonly weight?: Weight;
  /** Default: ink. */
  readonly color?: string;
}

/** A rectangle on a page, in points from the upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Internals of pdfkit that its types omit. */
interface Inside {
  readonly _font: EmbeddedFont;
  readonly page: { readonly fonts: Record<string, object>; readonly xobjects: Record<string, object> };
}

/** Draws on the pages of a document: text by its baseline, and shapes. */
export class Sheet {
  readonly document: PDFKit.PDFDocument;
  readonly #faces: Record<Weight, Typeface>;

  constructor(options: PDFKit.PDFDocumentOptions) {
    this.document = new Pdf({ ...options, autoFirstPage: false, fontLayoutCache: false });
    const open = (file: string) => {
      this.document.font(file);
      return this.#inside._font;
    };
    this.#faces = { 400: new Typeface(open, 400), 600: new Typeface(open, 600) };
  }

  /** Whether any character was missing from the font. */
  get hasGaps(): boolean {
    return this.#faces[400].hasGaps || this.#faces[600].hasGaps;
  }

  // The pdfkit types omit these internals; see Typeface for why they are needed.
  get #inside(): Inside {
    return this.document as unknown as Inside;
  }

  /** Returns the measure of characters in a style. */
  measure({ size, weight = 400 }: Style): Measure {
    const face = this.#faces[weight];
    return (letter) => face.glyph(letter).advance * size;
  }

  /** Returns the width of a text on one line. */
  width(text: string, style: Style): number {
    return widthOf(setting(text), this.measure(style));
  }

  /** Breaks a text into lines of a given width. */
  lines(text: string, style: Style, limits: { width: number; most: number }): string[] {
    return breakLines(setting(text), limits, this.measure(style));
  }

  /** Breaks a cell's text into lines of a given width, shortening identifiers in the middle. */
  names(text: string, style: Style, limits: { width: number; most: number }): string[] {
    return breakName(setting(text), limits, this.measure(style));
  }

  /** Draws a text on one line, by its baseline, truncated to the width if one is given.
   *  @returns its width */
  text(text: string, place: TextPlace, style: Style): number {
    const { width } = place;
    const shown = width === undefined ? setting(text) : (this.lines(text, style, { width, most: 1 })[0] ?? '');
    return this.line(shown, place, style);
  }

  /** Draws a line returned by `lines`. */
  line(shown: string, { x, y, width = 0, align = 'left' }: TextPlace, style: Style): number {
    const face = this.#faces[style.weight ?? 400];
    const used = widthOf(shown, this.measure(style));
    const left = { left: x, right: x + width - used, center: x + (width - used) / 2 }[align];
    this.document.addContent(
      `${rgb(style.color ?? colors.ink)} rg BT 1 0 0 -1 ${points(left)} ${points(y)} Tm ${this.#shows(shown, face, style.size)} ET`,
    );
    return used;
  }

  #shows(shown: string, face: Typeface, size: number): string {
    const { fonts } = this.#inside.page;
    return runsOf(shown, face)
      .map(({ font, codes }) => {
        fonts[font.id] ??= font.ref();
        return `/${font.id} ${size} Tf <${codes}> Tj`;
      })
      .join(' ');
  }

  /** Reserves a place on this page for a right-aligned text that is known later: page numbers.
   *  @returns draws the text; call it once */
  later(right: number, y: number, style: Style): (text: string) => void {
    const { document } = this;
    const { page } = this.#inside;
    const height = document.page.height;
    const resources: { Font: Record<string, object> } = { Font: {} };
    const bounds = {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, document.page.width, height],
      Resources: resources,
    };
    const form = document.ref(bounds);
    page.xobjects['Later'] = form;
    document.addContent(`q 1 0 0 -1 0 ${points(height)} cm /Later Do Q`);
    return (text) => {
      const face = this.#faces[style.weight ?? 400];
      const left = right - widthOf(text, this.measure(style));
      const runs = runsOf(text, face).map(({ font, codes }) => {
        resources.Font[font.id] = font.ref();
        return `/${font.id} ${style.size} Tf <${codes}> Tj`;
      });
      form.end(`${rgb(style.color ?? colors.ink)} rg BT ${points(left)} ${points(height - y)} Td ${runs.join(' ')} ET`);
    };
  }

  /** Fills a rectangle. */
  block({ x, y, width, height }: Box, color: string): void {
    this.document.addContent(`${rgb(color)} rg ${points(x)} ${points(y)} ${points(width)} ${points(height)} re f`);
  }

  /** Fills a rectangle with rounded corners. */
  roundBlock({ x, y, width, height }: Box, radius: number, color: string): void {
    this.document.roundedRect(x, y, width, height, radius).fill(color);
  }

  /** Draws a straight line. */
  rule(from: Point, to: Point, { color, width = 0.6 }: { color: string; width?: number }): void {
    this.document.addContent(
      `${rgb(color)} RG ${width} w ${points(from.x)} ${points(from.y)} m ${points(to.x)} ${points(to.y)} l S`,
    );
  }
}

/** A point on a page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Place of a line of text: `y` is its baseline. */
export interface TextPlace extends Point {
  /** Available width; without it the text is not limited. */
  readonly width?: number;
  /** Alignment within the width; default: `left`. */
  readonly align?: 'left' | 'right' | 'center';
}

interface Run {
  readonly font: EmbeddedFont;
  codes: string;
}

/** Splits text into runs of characters in one font. */
function runsOf(shown: string, face: Typeface): Run[] {
  const runs: Run[] = [];
  for (const letter of shown) {
    const { font, code } = face.glyph(letter);
    const last = runs.at(-1);
    if (last?.font === font) last.codes += code;
    else runs.push({ font, codes: code });
  }
  return runs;
}

const components = new Map<string, string>();

/** Converts `#rrggbb` to the operands of a page's content stream. */
function rgb(color: string): string {
  const known = components.get(color);
  if (known !== undefined) return known;
  const made = [1, 3, 5].map((start) => points(Number.parseInt(color.slice(start, start + 2), 16) / 255)).join(' ');
  components.set(color, made);
  return made;
}

function points(length: number): string {
  return String(Math.round(length * 1000) / 1000);
}

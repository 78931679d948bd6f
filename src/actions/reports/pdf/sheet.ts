import Pdf from 'pdfkit';
import { colors, type EmbeddedFont, Typeface, type Weight } from './typeface.ts';
import { breakLines, breakName, setting, widthOf, type Measure } from './lines.ts';

/** How text is set. */
export interface Style {
  /** In points. */
  readonly size: number;
  /** Regular where it is left out. */
  readonly weight?: Weight;
  /** Ink where it is left out. */
  readonly color?: string;
}

/** A place of a page. Points, from its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** What pdfkit keeps beside what its types tell. */
interface Inside {
  readonly _font: EmbeddedFont;
  readonly page: { readonly fonts: Record<string, object>; readonly xobjects: Record<string, object> };
}

/** The pages of a document under a pen: text by its base line, and shapes. */
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

  /** Whether a letter was set that the font lacks. */
  get hasGaps(): boolean {
    return this.#faces[400].hasGaps || this.#faces[600].hasGaps;
  }

  // The types of pdfkit leave out what it keeps for itself; see Typeface for why it is needed.
  get #inside(): Inside {
    return this.document as unknown as Inside;
  }

  /** How wide letters of a style are. */
  measure({ size, weight = 400 }: Style): Measure {
    const face = this.#faces[weight];
    return (letter) => face.glyph(letter).advance * size;
  }

  /** The width of a text on one line. */
  width(text: string, style: Style): number {
    return widthOf(setting(text), this.measure(style));
  }

  /** The lines of a text in a width. */
  lines(text: string, style: Style, limits: { width: number; most: number }): string[] {
    return breakLines(setting(text), limits, this.measure(style));
  }

  /** The lines of a cell in a width: identifiers give way in their middle. */
  names(text: string, style: Style, limits: { width: number; most: number }): string[] {
    return breakName(setting(text), limits, this.measure(style));
  }

  /** Sets a text on one line, by its base line. It is cut to a width where one is given.
   *  @returns its width */
  text(text: string, place: TextPlace, style: Style): number {
    const { width } = place;
    const shown = width === undefined ? setting(text) : (this.lines(text, style, { width, most: 1 })[0] ?? '');
    return this.line(shown, place, style);
  }

  /** Sets a line that `lines` has made. */
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

  /** Leaves a place on this page for a text that is known later, and which ends at a point: page numbers.
   *  @returns sets the text; call it once */
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

  /** Fills a rectangle with round corners. */
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

/** A point of a page. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where a line of text stands: `y` is its base line. */
export interface TextPlace extends Point {
  /** Of the room it has; without it the text ends where it ends. */
  readonly width?: number;
  /** In the room; `left` where it is left out. */
  readonly align?: 'left' | 'right' | 'center';
}

interface Run {
  readonly font: EmbeddedFont;
  codes: string;
}

/** Letters that follow each other in one font. */
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

/** `#rrggbb` as the operators of a page take it. */
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

import type { ReportDocument } from '../document.ts';
import { formatPeriod } from '../../../kit/format.ts';
import { instantText } from './figures.ts';
import { colors, page } from './typeface.ts';
import type { Sheet } from './sheet.ts';

/** Which way a page lies. */
export type Layout = 'portrait' | 'landscape';

const small = { size: 7.5, color: colors.soft } as const;

/** The pages of a report, one after another, each with its head and foot, and how far the current one is filled. */
export class Pages {
  readonly sheet: Sheet;
  /** Where the next thing stands. */
  y = 0;
  readonly #report: ReportDocument;
  readonly #numbers: ((text: string) => void)[] = [];
  #width = 0;
  #height = 0;

  constructor(sheet: Sheet, report: ReportDocument) {
    this.sheet = sheet;
    this.#report = report;
  }

  /** Where content begins on the left. */
  get left(): number {
    return page.side;
  }

  /** Where content ends on the right. */
  get right(): number {
    return this.#width - page.side;
  }

  /** The width of content. */
  get width(): number {
    return this.#width - 2 * page.side;
  }

  /** Where content ends. */
  get bottom(): number {
    return this.#height - page.bottom;
  }

  /** The whole width of the page. */
  get fullWidth(): number {
    return this.#width;
  }

  /** How many pages there are. */
  get count(): number {
    return this.#numbers.length;
  }

  /** What is left of the page. */
  get room(): number {
    return this.bottom - this.y;
  }

  /** Turns to a new page. */
  next(layout: Layout): void {
    const [width, height] = layout === 'portrait' ? [page.short, page.long] : [page.long, page.short];
    this.#width = width;
    this.#height = height;
    this.sheet.document.addPage({ size: [width, height], margin: 0 });
    if (this.count > 0) this.#head();
    this.#foot();
    this.y = page.top;
  }

  /** Makes room: turns to a new page where less than `height` is left. */
  need(height: number, layout: Layout = 'portrait'): void {
    if (this.room < height) this.next(layout);
  }

  /** Numbers the pages. Nothing may be added afterwards.
   *  @param breathe waits where they are numbered faster than they are taken */
  async finish(breathe: () => Promise<void>): Promise<void> {
    for (const [index, number] of this.#numbers.entries()) {
      number(`Page ${index + 1} of ${this.count}`);
      // Each holds 16 KiB of what compresses it until it is taken, however small it is.
      if (index % 20 === 19) await breathe();
    }
  }

  #head(): void {
    const { organization, title, period } = this.#report;
    const half = this.width / 2 - 8;
    const y = 34;
    this.sheet.text(`${organization} · ${title}`, { x: this.left, y, width: half + 60 }, small);
    const days = formatPeriod(period.start, period.end);
    this.sheet.text(days, { x: this.right - half + 60, y, width: half - 60, align: 'right' }, small);
    this.#line(y + 8);
  }

  #foot(): void {
    const y = this.#height - 28;
    this.#line(y - 14);
    const made = `${instantText(this.#report.generatedAt.toISOString())} UTC`;
    this.sheet.text(`Costkeep · generated ${made}`, { x: this.left, y }, small);
    this.#numbers.push(this.sheet.later(this.right, y, small));
  }

  #line(y: number): void {
    this.sheet.rule({ x: this.left, y }, { x: this.right, y }, { color: colors.line });
  }
}

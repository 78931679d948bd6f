import type { ReportDocument } from '../document.ts';
import { formatPeriod } from '../../../kit/text/format.ts';
import { instantText } from './figures.ts';
import { colors, page } from './typeface.ts';
import type { Sheet } from './sheet.ts';

/** Page orientation. */
export type Layout = 'portrait' | 'landscape';

const small = { size: 7.5, color: colors.soft } as const;

/** The pages of a report, with header and footer, and the position on the current page. */
export class Pages {
  readonly sheet: Sheet;
  /** Position of the next content. */
  y = 0;
  readonly #report: ReportDocument;
  readonly #numbers: ((text: string) => void)[] = [];
  #width = 0;
  #height = 0;

  constructor(sheet: Sheet, report: ReportDocument) {
    this.sheet = sheet;
    this.#report = report;
  }

  /** Left edge of the content. */
  get left(): number {
    return page.side;
  }

  /** Right edge of the content. */
  get right(): number {
    return this.#width - page.side;
  }

  /** Width of the content. */
  get width(): number {
    return this.#width - 2 * page.side;
  }

  /** Bottom edge of the content. */
  get bottom(): number {
    return this.#height - page.bottom;
  }

  /** Full width of the page. */
  get fullWidth(): number {
    return this.#width;
  }

  /** Number of pages. */
  get count(): number {
    return this.#numbers.length;
  }

  /** Remaining height on the page. */
  get room(): number {
    return this.bottom - this.y;
  }

  /** Starts a new page. */
  next(layout: Layout): void {
    const [width, height] = layout === 'portrait' ? [page.short, page.long] : [page.long, page.short];
    this.#width = width;
    this.#height = height;
    this.sheet.document.addPage({ size: [width, height], margin: 0 });
    if (this.count > 0) this.#head();
    this.#foot();
    this.y = page.top;
  }

  /** Starts a new page if less than `height` is left. */
  need(height: number, layout: Layout = 'portrait'): void {
    if (this.room < height) this.next(layout);
  }

  /** Numbers the pages. Nothing can be added afterwards.
   *  @param breathe waits for the consumer to catch up */
  async finish(breathe: () => Promise<void>): Promise<void> {
    for (const [index, number] of this.#numbers.entries()) {
      number(`Page ${index + 1} of ${this.count}`);
      // Each page holds a 16 KiB compression buffer until it is consumed, however small it is.
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

import type { Random } from './random.ts';

/** Context of an attack. */
export interface Context {
  readonly findings: Findings;
  readonly random: Random;
  /** Whether an attack must take seconds instead of minutes, as in CI. */
  readonly isShort: boolean;
  /** Returns whether there is time for another round. */
  hasTime(): boolean;
  /** Shows progress. */
  show(text: string): void;
}

/** One part of the torture. Faults go to the findings; an error ends the part and is a fault, too. */
export type Attack = (context: Context) => Promise<void>;

/** A line of the table. */
interface Figure {
  count: number;
  /** Longest duration in milliseconds; null without durations. */
  worstMs: number | null;
}

/** Number of faults that ends a part. */
const mostFaults = 20;

/** The figures and faults of one part. */
export class Findings {
  readonly #figures = new Map<string, Figure>();
  /** Without duplicates. */
  readonly faults: string[] = [];
  /** Reasons why the part, or some of its steps, did not run. */
  readonly skipped: string[] = [];

  /** Counts an action or a check. */
  count(what: string, by = 1): void {
    this.#of(what).count += by;
  }

  /** Counts an action, and keeps its longest duration. */
  measure(what: string, ms: number): void {
    const figure = this.#of(what);
    figure.count += 1;
    figure.worstMs = Math.max(figure.worstMs ?? 0, ms);
  }

  countOf(what: string): number {
    return this.#figures.get(what)?.count ?? 0;
  }

  /** @throws {Error} when there are too many faults to continue */
  fault(text: string): void {
    if (this.faults.includes(text)) return;
    this.faults.push(text);
    if (this.faults.length >= mostFaults) throw new Error(`stopped after ${mostFaults} faults`);
  }

  skip(reason: string): void {
    if (!this.skipped.includes(reason)) this.skipped.push(reason);
  }

  /** Rows of the table of this part. */
  rows(): Record<string, string>[] {
    return [...this.#figures].map(([what, { count, worstMs }]) => ({
      what,
      count: String(count),
      'worst s': worstMs === null ? '' : (worstMs / 1000).toFixed(2),
    }));
  }

  #of(what: string): Figure {
    const figure = this.#figures.get(what) ?? { count: 0, worstMs: null };
    this.#figures.set(what, figure);
    return figure;
  }
}

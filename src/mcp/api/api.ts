import type { z } from 'zod';
import { BadArguments } from '../bad-arguments.ts';

/** A value of the query; a list repeats the parameter, and what is absent is left out. */
export type QueryValue = string | number | boolean | readonly string[] | undefined;

export type Query = Readonly<Record<string, QueryValue>>;

/** The REST API, as one caller sees it: it carries that caller's token and is used for one call of a tool. */
export interface Api {
  /** Reads.
   *  @param path under `/api/v1`, such as `/costs/summary`; made with `apiPath` where it holds what was sent
   *  @param shape picks what is wanted of the answer; further fields are dropped
   *  @throws {ApiFailure} */
  get<S extends z.ZodType>(path: string, query: Query, shape: S): Promise<z.output<S>>;
  /** Writes.
   *  @throws {ApiFailure} */
  send<S extends z.ZodType>(method: 'POST' | 'PATCH', path: string, body: object, shape: S): Promise<z.output<S>>;
}

/** A path with what was sent as segments of it, each encoded: apiPath`/budgets/${id}`.
 *  @throws {BadArguments} for one that a URL cannot hold: it would name what is above */
export function apiPath(parts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: parts }, ...values.map(segment));
}

/** Dots are a way up even where they are encoded, and nothing is the list itself. */
function segment(value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new BadArguments(`"${value}" is not a valid id: use one from a list`);
  return encodeURIComponent(value);
}

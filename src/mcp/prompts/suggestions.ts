import { z } from 'zod';
import { addDays, addMonths, dayOf, monthAt } from '../../kit/period.ts';
import type { Caller } from '../tools/tool.ts';

// What the arguments of prompts may be.

/** The last twelve months, the latest complete one first. */
export function months({ now }: Caller): Promise<string[]> {
  return Promise.resolve(Array.from({ length: 12 }, (_, back) => addMonths(monthAt(now), -1 - back)));
}

/** The last 30 days, the latest first. */
export function days({ now }: Caller): Promise<string[]> {
  return Promise.resolve(Array.from({ length: 30 }, (_, back) => addDays(dayOf(now), -back)));
}

const services = z.object({ groups: z.array(z.object({ service: z.string() })) });

/** Services of the last 30 days, the most expensive first.
 *  @throws {ApiFailure} */
export async function serviceNames({ api }: Caller): Promise<string[]> {
  const { groups } = await api.get('/costs/by-service', {}, services);
  return [...new Set(groups.map(({ service }) => service))];
}

const accounts = z.object({ data: z.array(z.object({ name: z.string() })) });

/** Names of connected accounts.
 *  @throws {ApiFailure} */
export async function accountNames({ api }: Caller): Promise<string[]> {
  const { data } = await api.get('/accounts', { per_page: 100, sort_by: 'name' }, accounts);
  return data.map(({ name }) => name);
}

import { expect } from 'vitest';

/** The parts of an error's message, which duplicate the message. */
const parts = new Set(['value', 'reason', 'remedy', 'operation']);

/** A response whose errors have only the message without its parts, for tests of everything else. Each error must have
 *  a reason. */
export function essentials(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(essentials);
  if (typeof answer !== 'object' || answer === null) return answer;
  const entries = Object.entries(answer);
  const isError = 'code' in answer && 'status' in answer;
  if (isError) expect(answer).toMatchObject({ reason: expect.stringMatching(/\S/) });
  const kept = isError ? entries.filter(([name]) => !parts.has(name)) : entries;
  return Object.fromEntries(kept.map(([name, value]) => [name, essentials(value)]));
}

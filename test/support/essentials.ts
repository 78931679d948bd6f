import { expect } from 'vitest';

/** The parts of an error's message, which the message has too. */
const parts = new Set(['value', 'reason', 'remedy', 'operation']);

/** An answer whose errors have lost the parts of their messages, for a test of everything else. Each must have a reason. */
export function essentials(answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(essentials);
  if (typeof answer !== 'object' || answer === null) return answer;
  const entries = Object.entries(answer);
  const isError = 'code' in answer && 'status' in answer;
  if (isError) expect(answer).toMatchObject({ reason: expect.stringMatching(/\S/) });
  const kept = isError ? entries.filter(([name]) => !parts.has(name)) : entries;
  return Object.fromEntries(kept.map(([name, value]) => [name, essentials(value)]));
}

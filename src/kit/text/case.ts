/** Words whose digits are part of them. */
const whole = new Set(['sha256']);

/** Converts to snake_case: `costLast30Days` to `cost_last_30_days`, `lower80` to `lower_80`. */
export function snakeOf(name: string): string {
  return whole.has(name) ? name : name.replace(/(?<=[a-z])(?=\d)|(?<=[a-z\d])(?=[A-Z])/g, '_').toLowerCase();
}

/** Converts to camelCase: `start_date` to `startDate`. */
export function camelOf(name: string): string {
  return name.replace(/_([a-z\d])/g, (_match, letter: string) => letter.toUpperCase());
}

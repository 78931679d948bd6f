import type { World } from '../../support/world.ts';

/** A metric as REST returns it. */
export interface Metric {
  readonly id: string;
  readonly key: string;
  readonly value_count: number;
  readonly first_date: string | null;
  readonly last_date: string | null;
}

/** The body of an error. */
export interface Failure {
  readonly error: { readonly message: string; readonly field?: string; readonly resource_id?: string };
}

/** The operations on metrics as one user. */
export function metricsOf(world: () => World, token: () => string) {
  const rest = <Body>(method: string, path: string, body?: unknown) =>
    world().rest<Body>(method, path, { token: token(), ...(body !== undefined && { body }) });
  return {
    rest,
    create: async (key: string, more: object = {}): Promise<string> => {
      const answer = await rest<Metric>('POST', '/metrics', { key, name: `All ${key}`, unit: 'order', ...more });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.id;
    },
    put: (id: string, values: unknown) => rest<Failure & { changed: number }>('PUT', `/metrics/${id}/values`, values),
    putCsv: (id: string, raw: string, headers: Record<string, string> = { 'content-type': 'text/csv' }) =>
      world().rest<Failure & { changed: number }>('PUT', `/metrics/${id}/values`, { token: token(), raw, headers }),
    values: async (id: string, query = '') =>
      (await rest<{ data: { date: string; value: number; labels: object }[] }>('GET', `/metrics/${id}/values${query}`))
        .body.data,
  };
}

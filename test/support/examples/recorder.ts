import type { OpenApiDocument } from '../../../src/surfaces/openapi/document.ts';

/** The input of one call. */
export interface Sent {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, unknown>>;
  /** Text is sent as CSV, anything else as JSON. */
  readonly body?: unknown;
}

/** A recorded call: its request, and the responses by status. Responses without a body are not recorded. */
export interface Recorded {
  readonly request: Sent;
  /** Examples of optional query parameters missing in the request. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly answers: Readonly<Record<string, unknown>>;
  /** The text of the returned file by media type. */
  readonly files?: Readonly<Record<string, string>>;
}

/** Calls operations by id and records the first response of each status, with the request of the last recorded call. */
export class Recorder {
  readonly recorded: Record<string, Recorded> = {};
  /** Sent as `Authorization: Bearer`. */
  token = '';
  readonly #routes: ReadonlyMap<string, { method: string; path: string }>;
  readonly #url: string;

  constructor(url: string, document: OpenApiDocument) {
    this.#url = url;
    const routes = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => {
        const { operationId } = operation as { operationId: string };
        return [operationId, { method: method.toUpperCase(), path }] as const;
      }),
    );
    this.#routes = new Map(routes);
  }

  /** Calls without recording, to prepare a later call. @throws {Error} on failure */
  async call<Answer>(id: string, sent: Sent = {}): Promise<Answer> {
    // The caller knows the type of the response.
    return (await this.#send(id, sent)).answer as Answer;
  }

  async #send(id: string, sent: Sent): Promise<{ status: number; answer: unknown; text: string; mediaType: string }> {
    const { method, path } = this.#route(id);
    const filled = path.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
      encodeURIComponent(sent.path?.[name] ?? ''),
    );
    const search = new URLSearchParams(
      Object.entries(sent.query ?? {}).map(([name, value]) => [name, String(value)] as [string, string]),
    );
    const isText = typeof sent.body === 'string';
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': isText ? 'text/csv' : 'application/json' };
    const body = sent.body === undefined ? null : isText ? String(sent.body) : JSON.stringify(sent.body);
    const response = await fetch(`${this.#url}${filled}?${search}`, { method, headers, body });
    const text = await response.text();
    if (!response.ok) throw new Error(`${id} answered ${response.status}: ${text}`);
    const mediaType = response.headers.get('content-type')?.split(';', 1)[0] ?? '';
    const answer: unknown = mediaType === 'application/json' ? JSON.parse(text) : undefined;
    return { status: response.status, answer, text, mediaType };
  }

  /** Calls and records. */
  async ask<Answer = { id: string }>(id: string, sent: Sent = {}): Promise<Answer> {
    const { status, answer } = await this.#send(id, sent);
    const known = this.recorded[id]?.answers ?? {};
    if (!this.recorded[id] || !(status in known))
      this.recorded[id] = { request: sent, answers: { ...known, [status]: answer } };
    // The caller knows the type of the response.
    return answer as Answer;
  }

  /** Calls and records the returned file. Files of several media types can be recorded. */
  async askFile(id: string, sent: Sent): Promise<void> {
    const { text, mediaType } = await this.#send(id, sent);
    const kept = this.recorded[id] ?? { request: sent, answers: {} };
    this.recorded[id] = { ...kept, files: { ...kept.files, [mediaType]: text } };
  }

  /** Records a request without a response. */
  note(id: string, request: Sent): void {
    this.#route(id);
    this.recorded[id] ??= { request, answers: {} };
  }

  /** Records examples of parameters missing in the recorded request, after a call with all of them. Throws if the
   *  operation rejects them. */
  async fill(id: string, parameters: Readonly<Record<string, unknown>>): Promise<void> {
    const kept = this.recorded[id];
    if (!kept) throw new Error(`${id} was not recorded`);
    const { path, query } = kept.request;
    await this.#send(id, { ...(path && { path }), query: { ...parameters, ...query } });
    this.recorded[id] = { ...kept, parameters };
  }

  #route(id: string): { method: string; path: string } {
    const route = this.#routes.get(id);
    if (!route) throw new Error(`The document has no operation ${id}`);
    return route;
  }
}

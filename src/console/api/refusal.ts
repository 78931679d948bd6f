import type { CombinedError } from '@urql/core';

/** What the API said instead of an answer: its code, a sentence for people and, where it told, when to try again. */
export class Refusal extends Error {
  /** A code of the API, or `AWAY` when nobody answered. */
  readonly code: string;
  readonly status: number;
  /** Seconds to wait; null where the API did not say. */
  readonly retryAfter: number | null;
  /** The argument that it concerns, as the API that was asked spells it; null where it concerns none. */
  readonly field: string | null;

  constructor(
    code: string,
    message: string,
    at: { status: number; retryAfter?: number | null; field?: string | null },
  ) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.status = at.status;
    this.retryAfter = at.retryAfter ?? null;
    this.field = at.field ?? null;
  }

  /** The message after the name of its field; all of it where it does not begin with that. */
  get rest(): string {
    return this.field !== null && this.message.startsWith(this.field)
      ? this.message.slice(this.field.length)
      : this.message;
  }

  /** The message with the label of the field in place of its name. */
  labelled(label: string): string {
    return this.rest === this.message ? this.message : `${label}${this.rest}`;
  }
}

const away = 'The server does not answer. Check the connection, or whether the server is running.';

/** The server could not be reached. */
export function serverAway(): Refusal {
  return new Refusal('AWAY', away, { status: 0 });
}

/** Reads a failed GraphQL answer. */
export function refusalOf(error: CombinedError): Refusal {
  const response: unknown = error.response;
  const headers = response instanceof Response ? response : null;
  const [first] = error.graphQLErrors;
  if (!first) return headers && headers.status > 0 ? unreadable(headers.status) : serverAway();
  const { code, status, field } = first.extensions;
  return new Refusal(typeof code === 'string' ? code : 'INTERNAL_ERROR', withoutInput(first.message), {
    status: typeof status === 'number' ? status : 500,
    field: typeof field === 'string' ? withoutInput(field) : null,
    retryAfter: headers && retryAfterOf(headers),
  });
}

/** Names fields as forms do: `name` for `input.name`. */
function withoutInput(text: string): string {
  return text.replaceAll(/\binput\.(?=[a-z])/g, '');
}

/** Reads a failed REST answer. */
export async function refusalOfResponse(response: Response): Promise<Refusal> {
  const body: unknown = await response.json().catch(() => null);
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : null;
  if (!error) return unreadable(response.status);
  return new Refusal(String(error['code']), String(error['message']), {
    status: response.status,
    retryAfter: retryAfterOf(response),
    field: typeof error['field'] === 'string' ? error['field'] : null,
  });
}

function unreadable(status: number): Refusal {
  const gateway = status === 502 || status === 503 || status === 504;
  if (gateway) return new Refusal('AWAY', away, { status });
  return new Refusal('INTERNAL_ERROR', `The server answered ${status} and did not say why.`, { status });
}

function retryAfterOf({ headers }: Response): number | null {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}

/** Whether a value is a JSON object. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

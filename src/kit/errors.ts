/** Every code a client can meet. REST answers it in `error.code`, GraphQL in `extensions.code`. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'TWO_FACTOR_SETUP_REQUIRED'
  | 'NOT_FOUND'
  | 'BUDGET_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CONFLICT'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'RANGE_NOT_SATISFIABLE'
  | 'ACCOUNT_LOCKED'
  | 'RATE_LIMITED'
  | 'SERVICE_UNAVAILABLE'
  | 'INTERNAL_ERROR';

/** The HTTP status of each code. */
export const statusOf = {
  VALIDATION_ERROR: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  TWO_FACTOR_SETUP_REQUIRED: 403,
  NOT_FOUND: 404,
  BUDGET_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RANGE_NOT_SATISFIABLE: 416,
  ACCOUNT_LOCKED: 423,
  RATE_LIMITED: 429,
  SERVICE_UNAVAILABLE: 503,
  INTERNAL_ERROR: 500,
} as const satisfies Record<ErrorCode, number>;

/** The name of an argument in a message. */
export interface Argument {
  /** Where the argument is, in snake_case: `settings.export_name`, `rules[2].key`. */
  readonly path: string;
  /** The query parameter that stands for it in REST, where that has another name. */
  readonly parameter?: string;
  /** Whether the error concerns it; otherwise the message only mentions it. */
  readonly isField: boolean;
}

/** A value of an enum in a message. */
export interface Choice {
  /** The argument that takes it, in snake_case. */
  readonly path: string;
  /** The value as REST spells it: `in_progress`, `-cost`. */
  readonly value: string;
}

/** An operation in a message. */
export interface Operation {
  /** Its REST route: `POST /accounts`. */
  readonly route: string;
}

/** What each surface spells its own way, so it is kept apart from a message's text. */
export type Name = Argument | Choice | Operation;

/** A piece of a message. */
export type Part = string | Name;

/** Spells a name as one surface has it. */
export type Spell = (name: Name) => string;

/** Spells names as REST and the server's own texts do. */
export const restName: Spell = (name) => {
  if ('route' in name) return name.route;
  return 'value' in name ? name.value : (name.parameter ?? name.path);
};

/** Names the argument that an error concerns. The first one of a message becomes the error's field.
 *  @param value is quoted after the name, cut to 80 characters; leave it out for a secret */
export function arg(path: string, value?: string | null, parameter?: string): readonly Part[] {
  const argument = { path, isField: true, ...(parameter !== undefined && { parameter }) };
  return typeof value === 'string' ? [argument, ` ${JSON.stringify(value.slice(0, 80))}`] : [argument];
}

/** Names an item of a list that an error concerns. A query string gives a list of one as its bare item, so REST then names
 *  the list.
 *  @param parameter the query parameter of the list in REST, where that has another name */
export function argItem(
  path: string,
  {
    index,
    count,
    value,
    parameter = path,
  }: { index: number; count: number; value?: string | undefined; parameter?: string },
): readonly Part[] {
  return arg(`${path}[${index}]`, value, count === 1 ? parameter : `${parameter}[${index}]`);
}

/** Names arguments that a message mentions, such as those of a remedy. */
export function mention(...paths: readonly string[]): readonly Part[] {
  return paths.flatMap((path, index) => [...(index === 0 ? [] : [', ']), { path, isField: false }]);
}

/** Names values of an enum, separated by commas.
 *  @param path the argument that takes them */
export function choice(path: string, ...values: readonly string[]): readonly Part[] {
  return values.flatMap((value, index) => [...(index === 0 ? [] : [', ']), { path, value }]);
}

/** Names an operation by its REST route, such as that of a remedy. */
export function operation(route: string): readonly Part[] {
  return [{ route }];
}

/** What may stand in a message: a text, a number, names, or the whole message of another error. */
type Piece = string | number | readonly Part[] | AppError;

/** Template tag for a message with names. */
export function message(texts: TemplateStringsArray, ...pieces: readonly Piece[]): readonly Part[] {
  return texts.flatMap((text, index) => [text, ...partsOf(pieces[index] ?? '')]);
}

function partsOf(piece: Piece): readonly Part[] {
  if (piece instanceof AppError) return piece.parts;
  return typeof piece === 'object' ? piece : [String(piece)];
}

interface ErrorOptions {
  /** Response headers the client needs with it, such as `Retry-After` or `Allow`. */
  headers?: Readonly<Record<string, string>>;
  cause?: unknown;
}

/** An error whose message is meant for the client: it names the thing, the value and the remedy, and holds no secret.
 *  Domain code throws it and knows no protocol. */
export class AppError extends Error {
  readonly code: ErrorCode;
  /** The message in pieces; it can be sent to another process and made into the same error there. */
  readonly parts: readonly Part[];
  /** The argument that the error concerns; null when it concerns none. */
  readonly argument: Argument | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, text: string | readonly Part[], options: ErrorOptions = {}) {
    const parts = typeof text === 'string' ? [text] : text;
    super(textOf(parts, restName), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.parts = parts;
    this.argument = parts.find(isConcerned) ?? null;
    this.headers = options.headers ?? {};
  }

  /** The HTTP status of the code. */
  get status(): number {
    return statusOf[this.code];
  }

  /** The path of the argument that the error concerns, in snake_case; null when it concerns none. */
  get field(): string | null {
    return this.argument && restName(this.argument);
  }

  /** The same error where the arguments of these names stand inside another one: `tag_key` is `filters.tag_key`. */
  within(parent: string, names: readonly string[]): AppError {
    const parts = this.parts.map((part) => {
      if (typeof part === 'string' || 'route' in part) return part;
      if (!names.includes(/^\w+/.exec(part.path)?.[0] ?? '')) return part;
      const path = `${parent}.${part.path}`;
      const isElsewhere = 'parameter' in part && part.parameter !== undefined;
      return { ...part, path, ...(isElsewhere && { parameter: `${parent}.${part.parameter}` }) };
    });
    return new AppError(this.code, parts, { headers: this.headers, cause: this });
  }

  /** The message with its names as a surface spells them. */
  messageIn(spell: Spell): string {
    return textOf(this.parts, spell);
  }
}

function isConcerned(part: Part): part is Argument {
  return typeof part === 'object' && 'isField' in part && part.isField;
}

function textOf(parts: readonly Part[], spell: Spell): string {
  return parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
}

/** A client's input that cannot be used. The message names the field, the value and the remedy. As a template tag it takes
 *  arguments: ``invalid`${arg('per_page')} must be 1 to 100, not ${perPage}` ``. */
export function invalid(text: string): AppError;
export function invalid(texts: TemplateStringsArray, ...pieces: readonly Piece[]): AppError;
export function invalid(text: string | TemplateStringsArray, ...pieces: readonly Piece[]): AppError {
  return new AppError('VALIDATION_ERROR', typeof text === 'string' ? text : message(text, ...pieces));
}

/** A resource that does not exist, or that the caller may not know of: the two cannot be told apart. */
export function notFound(kind: string, id: string): AppError {
  // The API has a code of its own for budgets.
  return new AppError(kind === 'Budget' ? 'BUDGET_NOT_FOUND' : 'NOT_FOUND', `${kind} "${id}" not found`);
}

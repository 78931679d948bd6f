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

/** The name of an argument. */
export interface Argument {
  /** Where the argument is, in snake_case: `settings.export_name`, `rules[2].key`. */
  readonly path: string;
  /** The query parameter that stands for it in REST, where that has another name. */
  readonly parameter?: string;
}

/** A value of an enum. */
export interface Choice {
  /** The argument that takes it, in snake_case. */
  readonly path: string;
  /** The value as REST spells it: `in_progress`, `-cost`. */
  readonly choice: string;
}

/** An operation. */
export interface Operation {
  /** Its REST route: `POST /accounts`. */
  readonly route: string;
}

/** What each surface spells its own way, so it is kept apart from the text around it. */
export type Name = Argument | Choice | Operation;

/** A piece of a text. */
export type Part = string | Name;

/** Spells a name as one surface has it. */
export type Spell = (name: Name) => string;

/** Spells names as REST and the server's own texts do. */
export const restName: Spell = (name) => {
  if ('route' in name) return name.route;
  return 'choice' in name ? name.choice : (name.parameter ?? name.path);
};

/** The value that an argument was given. */
export interface Given {
  /** The value as a text; null where an error may not repeat it, such as a secret or a whole object. */
  readonly value: string | Choice | null;
  /** What follows the reason: `not 500`, `not a list`. Null: the value is quoted after the field's name. */
  readonly not: string | null;
}

/** What is wrong with a request, in parts. Plain data: it can be stored, or sent to another process. */
export interface Statement {
  /** The argument that it concerns; null when it concerns none. */
  readonly argument: Argument | null;
  readonly given: Given | null;
  /** What is wrong. It continues the argument's name: `must be 1 to 100`; without an argument it is a sentence. */
  readonly reason: readonly Part[];
  /** What the client can do; empty when nothing helps, or when the reason says it. */
  readonly remedy: readonly Part[];
}

/** The argument that an error concerns, with which the template of its message begins. */
export type Subject = Pick<Statement, 'argument' | 'given'>;

/** Maximum number of characters that an error repeats of a value. */
const maxShown = 80;

/** Names the argument that an error concerns.
 *  @param value a text is quoted after the name, and a number follows the reason: `must be 1 to 100, not 500`. Leave out a secret.
 *  @param parameter the query parameter of the argument in REST, where that has another name */
export function arg(path: string, value?: string | number | Choice | Given | null, parameter?: string): Subject {
  return { argument: { path, ...(parameter !== undefined && { parameter }) }, given: givenOf(value ?? null) };
}

function givenOf(value: string | number | Choice | Given | null): Given | null {
  if (typeof value === 'number') return not(String(value), String(value));
  if (typeof value === 'string') return { value: value.slice(0, maxShown), not: null };
  return value === null || 'not' in value ? value : { value, not: null };
}

/** Names the argument that an error concerns, and the value of its enum. */
export function argChoice(path: string, value: string): Subject {
  return arg(path, { path, choice: value.slice(0, maxShown) });
}

/** A value that follows the reason: `must be a number, not "abc"`.
 *  @param shown how the message shows it, or only its kind
 *  @param value null where the error may not repeat it */
export function not(shown: string, value: string | null): Given {
  return { value: value && value.slice(0, maxShown), not: shown };
}

/** Names an item of a list that an error concerns. A query string gives a list of one as its bare item, so REST then names
 *  the list.
 *  @param parameter the query parameter of the list in REST, where that has another name */
export function argItem(
  path: string,
  item: { index: number; count: number; value?: string | undefined; parameter?: string },
): Subject {
  const { index, count, value, parameter = path } = item;
  return arg(`${path}[${index}]`, value, count === 1 ? parameter : `${parameter}[${index}]`);
}

/** Names further arguments, such as those of a remedy. */
export function mention(...paths: readonly string[]): readonly Part[] {
  return paths.flatMap((path, index) => [...(index === 0 ? [] : [', ']), { path }]);
}

/** Names values of an enum, separated by commas.
 *  @param path the argument that takes them */
export function choice(path: string, ...values: readonly string[]): readonly Part[] {
  return values.flatMap((value, index) => [...(index === 0 ? [] : [', ']), { path, choice: value }]);
}

/** Names an operation by its REST route, such as that of a remedy. */
export function operation(route: string): readonly Part[] {
  return [{ route }];
}

/** Stands in a template between the reason and the remedy. */
export const fix = Symbol('fix');

/** What may stand in a template after its first place. */
type Piece = string | number | null | readonly Part[];

/** Template tag for a text with names, such as a part of a message. */
export function phrase(texts: TemplateStringsArray, ...pieces: readonly Piece[]): readonly Part[] {
  return filled(texts.flatMap((text, index) => [text, ...partsOf(pieces[index])]));
}

function partsOf(piece: Piece | undefined): readonly Part[] {
  if (typeof piece === 'object' && piece !== null) return piece;
  return piece === undefined ? [] : [String(piece)];
}

function filled(parts: readonly Part[]): readonly Part[] {
  return parts.filter((part) => part !== '');
}

type Pieces = readonly [] | readonly [Piece | Subject | typeof fix, ...(Piece | typeof fix)[]];

/** Template tag for a statement: ``message`${arg('name', name)} is blank${fix}give a value` ``. It begins with the argument that
 *  it concerns, if any. */
export function message(texts: TemplateStringsArray, ...pieces: Pieces): Statement {
  let subject: Subject = { argument: null, given: null };
  const reason: Part[] = [];
  const remedy: Part[] = [];
  let target = reason;
  texts.forEach((text, index) => {
    // The space that the template has after the subject is the composition's.
    const isAfterSubject = index === 1 && subject.argument !== null;
    target.push(isAfterSubject ? text.trimStart() : text);
    const piece = pieces[index];
    if (typeof piece === 'symbol') target = remedy;
    else if (typeof piece === 'object' && piece !== null && 'argument' in piece) subject = piece;
    else target.push(...partsOf(piece));
  });
  return { ...subject, reason: filled(reason), remedy: filled(remedy) };
}

/** A statement as one surface spells it. */
export interface Spelled {
  readonly field: string | null;
  readonly value: string | null;
  readonly reason: string;
  readonly remedy: string | null;
  /** The operation that the remedy names; null when it names none. */
  readonly operation: string | null;
  /** All of it: `<field> "<value>" <reason>; <remedy>`. */
  readonly message: string;
}

/** Spells a statement, and composes its message. */
export function spelled({ argument, given, reason, remedy }: Statement, spell: Spell): Spelled {
  const textOf = (parts: readonly Part[]) =>
    parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
  const field = argument && spell(argument);
  const value = typeof given?.value === 'object' ? given.value && spell(given.value) : (given?.value ?? null);
  const quoted = given?.not === null && value !== null ? JSON.stringify(value) : null;
  const why = textOf(reason);
  const what = [field, quoted, why].filter((text) => text !== null).join(' ');
  const how = remedy.length === 0 ? null : textOf(remedy);
  const said = `${what}${typeof given?.not === 'string' ? `, not ${given.not}` : ''}${how === null ? '' : `; ${how}`}`;
  const step = remedy.find((part) => typeof part === 'object' && 'route' in part);
  return { field, value, reason: why, remedy: how, operation: step ? spell(step) : null, message: said };
}

interface ErrorOptions {
  /** Response headers the client needs with it, such as `Retry-After` or `Allow`. */
  headers?: Readonly<Record<string, string>>;
  /** The id of the resource that stands in the way, such as the account that is connected already. */
  resourceId?: string;
  cause?: unknown;
}

/** An error that is meant for the client: it says what is wrong with which argument and value, and what helps, and holds no
 *  secret. Domain code throws it and knows no protocol. */
export class AppError extends Error implements Spelled {
  readonly code: ErrorCode;
  readonly statement: Statement;
  /** The path of the argument that the error concerns, in snake_case; null when it concerns none. */
  readonly field: string | null;
  /** What the argument was given, cut to 80 characters; null when it may not be repeated or does not matter. */
  readonly value: string | null;
  readonly reason: string;
  readonly remedy: string | null;
  readonly operation: string | null;
  readonly resourceId: string | null;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, said: string | Statement, options: ErrorOptions = {}) {
    const statement = typeof said === 'string' ? { argument: null, given: null, reason: [said], remedy: [] } : said;
    const { message: text, ...data } = spelled(statement, restName);
    super(text, { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.statement = statement;
    this.field = data.field;
    this.value = data.value;
    this.reason = data.reason;
    this.remedy = data.remedy;
    this.operation = data.operation;
    this.resourceId = options.resourceId ?? null;
    this.headers = options.headers ?? {};
  }

  /** The HTTP status of the code. */
  get status(): number {
    return statusOf[this.code];
  }

  /** The same error where the arguments of these names stand inside another one: `tag_key` is `filters.tag_key`. */
  within(parent: string, names: readonly string[]): AppError {
    const inside = <N extends Argument | Choice>(name: N): N => {
      if (!names.includes(name.path.split(/[.[]/, 1)[0] ?? '')) return name;
      const elsewhere = 'parameter' in name && { parameter: `${parent}.${name.parameter}` };
      return { ...name, path: `${parent}.${name.path}`, ...elsewhere };
    };
    const all = (parts: readonly Part[]) =>
      parts.map((part) => (typeof part === 'string' || 'route' in part ? part : inside(part)));
    const { argument, given, reason, remedy } = this.statement;
    const value = typeof given?.value === 'object' ? given.value && inside(given.value) : (given?.value ?? null);
    const moved = { argument: argument && inside(argument), reason: all(reason), remedy: all(remedy) };
    const options = { headers: this.headers, cause: this };
    return new AppError(this.code, { ...moved, given: given && { ...given, value } }, options);
  }
}

function refusalOf(code: ErrorCode): (texts: TemplateStringsArray, ...pieces: Pieces) => AppError {
  return (texts, ...pieces) => new AppError(code, message(texts, ...pieces));
}

/** Template tag for a client's input that cannot be used: ``invalid`${arg('per_page', perPage)} must be 1 to 100` ``. */
export const invalid = refusalOf('VALIDATION_ERROR');

/** Template tag for what the caller may not do. */
export const forbidden = refusalOf('FORBIDDEN');

/** Template tag for what the present state does not allow. */
export const conflict = refusalOf('CONFLICT');

/** Template tag for a caller who is not known. */
export const unauthorized = refusalOf('UNAUTHORIZED');

/** A resource that does not exist, or that the caller may not know of: the two cannot be told apart. */
export function notFound(kind: string, id: string): AppError {
  // The API has a code of its own for budgets.
  return new AppError(kind === 'Budget' ? 'BUDGET_NOT_FOUND' : 'NOT_FOUND', `${kind} "${id}" not found`);
}

import { usePersistedOperations } from '@graphql-yoga/plugin-persisted-operations';
import { Kind, parse, print } from 'graphql';
import type { GraphQLParams, Plugin } from 'graphql-yoga';
import consoleOperations from '../../../schema/console-operations.json' with { type: 'json' };
import { queryLimits } from '../../graph/builder.ts';
import { AppError, arg, fix, forbidden, invalid, message } from '../../kit/errors/errors.ts';
import type { PersistedOperations } from '../../kit/persisted-operations.ts';

const idPath = 'extensions.persistedQuery.sha256Hash';

/** Allows only the listed operations and those of the console. Clients send an id, as in Apollo (`extensions:
 *  {persistedQuery: {version: 1, sha256Hash}}`), or the full text.
 *  @throws {Error} if a document of the list cannot be parsed */
export function onlyPersisted(list: PersistedOperations): Plugin[] {
  const documents = new Map([...Object.entries(consoleOperations), ...list]);
  const ids = new Map([...documents].map(([id, text]) => [normalized(id, text), id]));
  return [
    { onParams: ({ params, setParams }) => setParams(named(params, ids)) },
    usePersistedOperations({
      getPersistedOperation: (id) => documents.get(id) ?? null,
      customErrors: {
        notFound: ({ params }) => unknownId(params),
        keyNotFound: () => invalid`${arg(idPath)} is required: the id of an operation in this server’s list`,
        persistedQueryOnly: () =>
          forbidden`${arg('query')} is not in this server’s list of operations${fix}send one that is`,
      },
    }),
  ];
}

/** Whether a request refers to an operation by id. */
export function namesOperation({ extensions }: { readonly extensions?: unknown }): boolean {
  return typeof extensions === 'object' && extensions !== null && 'persistedQuery' in extensions;
}

/** Replaces the text of a listed operation with its id. */
function named(params: GraphQLParams, ids: ReadonlyMap<string, string>): GraphQLParams {
  const id = params.query === undefined ? undefined : ids.get(normalForm(params.query) ?? '');
  if (id === undefined) return params;
  const { query: _query, ...others } = params;
  return { ...others, extensions: { ...params.extensions, persistedQuery: { version: 1, sha256Hash: id } } };
}

function unknownId({ extensions }: GraphQLParams): AppError {
  const { persistedQuery } = { persistedQuery: {}, ...extensions };
  const given: unknown = { sha256Hash: '', ...persistedQuery }.sha256Hash;
  return new AppError('NOT_FOUND', message`${arg(idPath, String(given))} is not in this server’s list of operations`);
}

function normalized(id: string, text: string): string {
  const form = normalForm(text);
  if (form === null) throw new Error(`PERSISTED_OPERATIONS: the document ${id} is not valid GraphQL`);
  return form;
}

/** Normalizes the whitespace and fragment order of a document; null if it cannot be parsed. */
function normalForm(text: string): string | null {
  try {
    const { definitions } = parse(text, { noLocation: true, maxTokens: queryLimits.tokens });
    const [fragments, operations] = [true, false].map((isFragment) =>
      definitions.filter(({ kind }) => (kind === Kind.FRAGMENT_DEFINITION) === isFragment).map(print),
    );
    return [...(operations ?? []), ...(fragments ?? []).sort()].join('\n');
  } catch {
    return null;
  }
}

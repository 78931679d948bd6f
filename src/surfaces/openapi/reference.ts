import { escapeHtml } from '../../kit/html.ts';
import type { OpenApiDocument } from './document.ts';
import type { Json } from './schemas.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** One operation as the page shows it. */
interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
  /** By status, with references followed. */
  readonly responses: Readonly<Record<string, Json>>;
}

/** Writes the document as HTML: a chapter for each tag, a section for each operation. */
export function referenceHtml(document: OpenApiDocument): string {
  const entries = entriesOf(document);
  const chapters = document.tags.map((tag) => ({
    tag,
    entries: entries.filter((entry) => tagsOf(entry).includes(tag.name)),
  }));
  const menu = chapters.map(
    ({ tag, entries: own }) =>
      `<li><a href="#${slug(tag.name)}">${escapeHtml(tag.name)}</a><ul>${own.map(menuItem).join('')}</ul></li>`,
  );
  const schemas = recordAt(recordAt(document, 'components'), 'schemas');
  const types = Object.entries(schemas).map(([name, schema]) => typeHtml(name, asJson(schema)));
  return `
    <a class="skip" href="#content">Skip to content</a>
    <nav aria-label="Operations">
      <p class="brand">${escapeHtml(document.info.title)} <small>${escapeHtml(document.info.version)}</small></p>
      <ul>${menu.join('')}<li><a href="#types">Types</a></li></ul>
    </nav>
    <main id="content">
      <h1>${escapeHtml(document.info.title)}</h1>
      <p class="links"><a href="/api/v1/docs">OpenAPI 3.0 document</a> <a href="/graphql">GraphiQL</a></p>
      ${prose(document.info.description)}
      ${chapters.map(({ tag, entries: own }) => chapterHtml(tag, own)).join('')}
      <section id="types"><h2>Types</h2>${types.join('')}</section>
    </main>`;
}

function entriesOf(document: OpenApiDocument): Entry[] {
  const shared = recordAt(recordAt(document, 'components'), 'responses');
  const followed = (response: Json): Json => {
    const reference = textAt(response, '$ref');
    return reference === '' ? response : recordAt(shared, reference.split('/').at(-1) ?? '');
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => {
      const operation = recordAt(item, method);
      const responses = Object.entries(recordAt(operation, 'responses')).map(([status, response]) => [
        status,
        followed(asJson(response)),
      ]);
      return { method, path, operation, responses: Object.fromEntries(responses) };
    }),
  );
}

function menuItem({ method, path, operation }: Entry): string {
  return `<li><a href="#${textAt(operation, 'operationId')}">${badge(method)} ${escapeHtml(path)}</a></li>`;
}

function chapterHtml(tag: { name: string; description: string }, entries: readonly Entry[]): string {
  return `<section id="${slug(tag.name)}"><h2>${escapeHtml(tag.name)}</h2>${prose(tag.description)}${entries.map(operationHtml).join('')}</section>`;
}

function operationHtml({ method, path, operation, responses }: Entry): string {
  const id = textAt(operation, 'operationId');
  const isPublic = Array.isArray(operation['security']);
  return `
      <article id="${id}">
        <h3>${badge(method)} <code>${escapeHtml(path)}</code></h3>
        <p class="meta">GraphQL: <code>${id}</code>${isPublic ? ' · without a token' : ''}</p>
        ${prose(textAt(operation, 'description'))}
        ${parametersHtml(listAt(operation, 'parameters'))}
        ${bodyHtml(operation)}
        ${responsesHtml(responses)}
      </article>`;
}

function parametersHtml(parameters: readonly Json[]): string {
  const rows = parameters
    .filter((parameter) => 'name' in parameter)
    .map((parameter) => [
      `<code>${escapeHtml(textAt(parameter, 'name'))}</code>${parameter['required'] === true ? required : ''}`,
      typeText(recordAt(parameter, 'schema')),
      prose(textAt(parameter, 'description')),
    ]);
  return table('Parameters', ['Name', 'Type', 'Meaning'], rows);
}

function bodyHtml(operation: Json): string {
  const content = recordAt(recordAt(operation, 'requestBody'), 'content');
  return fieldsTable('Body', recordAt(recordAt(content, 'application/json'), 'schema'));
}

function responsesHtml(responses: Entry['responses']): string {
  const rows = Object.entries(responses).map(([status, response]) => {
    const types = Object.entries(recordAt(response, 'content')).map(([media, body]) =>
      media === 'application/json' ? typeText(recordAt(asJson(body), 'schema')) : `<code>${escapeHtml(media)}</code>`,
    );
    return [`<code>${status}</code>`, types.join(' or '), prose(textAt(response, 'description'))];
  });
  return `<details><summary>Responses</summary>${table('', ['Status', 'Type', 'Meaning'], rows)}</details>`;
}

function typeHtml(name: string, schema: Json): string {
  return `<article id="type-${escapeHtml(name)}"><h3><code>${escapeHtml(name)}</code></h3>${prose(textAt(schema, 'description'))}${fieldsTable('', schema)}</article>`;
}

const required = ' <em class="required">required</em>';

function fieldsTable(title: string, schema: Json): string {
  const mandatory =
    Array.isArray(schema['required']) && schema['additionalProperties'] === false ? schema['required'] : [];
  const rows = Object.entries(recordAt(schema, 'properties')).map(([name, value]) => {
    const field = asJson(value);
    return [
      `<code>${escapeHtml(name)}</code>${mandatory.includes(name) ? required : ''}`,
      typeText(field),
      prose(textAt(field, 'description')),
    ];
  });
  return table(title, ['Field', 'Type', 'Meaning'], rows);
}

function typeText(schema: Json): string {
  const [only] = [...listAt(schema, 'allOf'), ...listAt(schema, 'anyOf')];
  const reference = textAt(schema, '$ref') || textAt(only ?? {}, '$ref');
  const orNull = schema['nullable'] === true || 'anyOf' in schema ? ' or null' : '';
  if (reference !== '') {
    const name = escapeHtml(reference.split('/').at(-1) ?? '');
    return `<a href="#type-${name}">${name}</a>${orNull}${defaultText(schema)}`;
  }
  if (schema['type'] === 'array') return `list of ${typeText(recordAt(schema, 'items'))}${orNull}`;
  return `${escapeHtml(textAt(schema, 'format') || textAt(schema, 'type') || 'any')}${orNull}${defaultText(schema)}`;
}

function defaultText(schema: Json): string {
  return 'default' in schema ? `, default <code>${escapeHtml(JSON.stringify(schema['default']))}</code>` : '';
}

function table(title: string, heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((text) => `<td>${text}</td>`).join('')}</tr>`).join('');
  return `${title === '' ? '' : `<h4>${title}</h4>`}<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** The little Markdown that our descriptions use: paragraphs, lists, bold and code. */
function prose(text: string): string {
  const inline = (part: string) =>
    escapeHtml(part)
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>');
  const block = (part: string) =>
    part.startsWith('- ')
      ? `<ul>${part
          .split('\n')
          .map((line) => `<li>${inline(line.slice(2))}</li>`)
          .join('')}</ul>`
      : `<p>${inline(part)}</p>`;
  return text
    .split('\n\n')
    .filter((part) => part.trim() !== '')
    .map(block)
    .join('');
}

function badge(method: string): string {
  return `<span class="method ${method}">${method.toUpperCase()}</span>`;
}

function slug(name: string): string {
  return `tag-${name.toLowerCase().replaceAll(/\W+/g, '-')}`;
}

function tagsOf({ operation }: Entry): readonly unknown[] {
  return Array.isArray(operation['tags']) ? operation['tags'] : [];
}

function asJson(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function recordAt(from: Json, key: string): Json {
  return asJson(from[key]);
}

function listAt(from: Json, key: string): readonly Json[] {
  const value = from[key];
  return Array.isArray(value) ? value.map(asJson) : [];
}

function textAt(from: Json, key: string): string {
  const value = from[key];
  return typeof value === 'string' ? value : '';
}

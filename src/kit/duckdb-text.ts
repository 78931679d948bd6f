import accessors from '@duckdb/node-api/lib/vectors/dataAccessors.js';

// Import this before DuckDB is used. Its client decodes texts as files, so U+FEFF at the start of a text, which bills may contain,
// is dropped as a byte order mark; the text then differs from the one that is stored.
Object.assign(accessors, { textDecoder: new TextDecoder('utf-8', { ignoreBOM: true }) });

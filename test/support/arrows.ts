/** The areas that each area may import. Files directly in `src/` compose everything and may import all areas. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  providers: ['kit'],
  jobs: ['kit'],
  graph: ['kit', 'tenancy'],
  tenancy: ['kit', 'graph', 'jobs'],
  engine: ['kit', 'tenancy', 'jobs'],
  facts: ['kit', 'tenancy', 'graph', 'jobs', 'engine'],
  sample: ['kit', 'facts'],
  ingest: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'providers', 'facts', 'sample'],
  analysis: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts'],
  actions: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts', 'analysis'],
  surfaces: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts', 'ingest', 'analysis', 'actions'],
  operation: ['kit', 'tenancy', 'jobs', 'engine', 'providers', 'facts', 'ingest', 'analysis', 'actions'],
  mcp: ['kit'],
  // A client: from the server it imports only the schema's types, and the files of kit that browsers share (architecture.test.ts).
  console: ['kit'],
  demo: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'providers', 'facts', 'ingest', 'analysis', 'actions', 'sample'],
};

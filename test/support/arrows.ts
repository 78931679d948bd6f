/** What each area may use beside itself. Files directly in `src/` put everything together, and may use all. */
export const arrows: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  providers: ['kit'],
  jobs: ['kit'],
  graph: ['kit', 'tenancy'],
  tenancy: ['kit', 'graph', 'jobs'],
  engine: ['kit', 'tenancy', 'jobs'],
  facts: ['kit', 'tenancy', 'graph', 'jobs', 'engine'],
  ingest: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'providers', 'facts'],
  analysis: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts'],
  actions: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts', 'analysis'],
  surfaces: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'facts', 'ingest', 'analysis', 'actions'],
  mcp: ['kit'],
  // A client: of ours it knows the schema's types, and two files about days (see below).
  console: ['kit'],
  demo: ['kit', 'tenancy', 'graph', 'jobs', 'engine', 'providers', 'facts', 'ingest', 'analysis', 'actions'],
};

import { refusal, type GoogleAnswer, type GoogleCall } from './call.ts';

/** Cloud Asset Inventory and Compute Engine. */
export interface FakeInventory {
  /** Results of `searchAllResources` by scope. */
  readonly assets: Map<string, object[]>;
  /** Compute Engine resources by `project/kind`, with all fields of the API. */
  readonly compute: Map<string, object[]>;
  pageItems: number;
  answer(call: GoogleCall): Promise<GoogleAnswer | null>;
}

export function openFakeInventory(denied: ReadonlySet<string>): FakeInventory {
  const fake: FakeInventory = {
    assets: new Map(),
    compute: new Map(),
    pageItems: 500,
    async answer(call) {
      if (call.method !== 'GET') return null;
      const [, scope] = /^\/v1\/(.+):searchAllResources$/.exec(call.path) ?? [];
      if (scope !== undefined) return search(fake, scope, call, denied);
      const [, project, kind] =
        /^\/compute\/v1\/projects\/([^/]+)\/(?:aggregated|global)\/(\w+)$/.exec(call.path) ?? [];
      return project === undefined || kind === undefined ? null : compute(fake, { project, kind }, call, denied);
    },
  };
  return fake;
}

function search(fake: FakeInventory, scope: string, call: GoogleCall, denied: ReadonlySet<string>): GoogleAnswer {
  if (denied.has('cloudasset.assets.searchAllResources'))
    return refusal(403, 'forbidden', `The caller does not have permission`);
  const mask = (call.query.get('readMask') ?? '*').split(',');
  if (mask.some((field) => field === '*' || field === 'versionedResources'))
    return refusal(400, 'badRequest', 'Whole resources are never asked for');
  const { page, nextPageToken } = pageOf(fake, fake.assets.get(scope) ?? [], call.query, 'pageSize');
  const results = page.map((asset) =>
    Object.fromEntries(Object.entries(asset).filter(([name]) => mask.includes(name))),
  );
  return { json: { results, ...(nextPageToken && { nextPageToken }) } };
}

function compute(
  fake: FakeInventory,
  { project, kind }: { project: string; kind: string },
  call: GoogleCall,
  denied: ReadonlySet<string>,
): GoogleAnswer {
  if (denied.has(`compute.${kind}.list`))
    return refusal(403, 'forbidden', `Required 'compute.${kind}.list' permission for 'projects/${project}'`);
  const { page, nextPageToken } = pageOf(fake, fake.compute.get(`${project}/${kind}`) ?? [], call.query, 'maxResults');
  const byPlace = {
    'zones/europe-west1-b': { [kind]: page },
    'zones/us-east1-b': { warning: { code: 'NO_RESULTS_ON_PAGE' } },
  };
  const whole = {
    kind: 'compute#list',
    items: kind === 'snapshots' ? page : byPlace,
    ...(nextPageToken && { nextPageToken }),
  };
  const mask = parseMask(call.query.get('fields') ?? '');
  return { json: masked(whole, mask) };
}

function pageOf(fake: FakeInventory, items: readonly object[], query: URLSearchParams, size: string) {
  const from = Number(query.get('pageToken') ?? 0);
  const until = from + Math.min(fake.pageItems, Number(query.get(size) ?? 500));
  return { page: items.slice(from, until), nextPageToken: until < items.length ? String(until) : null };
}

/** Requested fields with their subfields; an empty object requests all of them. */
interface Mask {
  [field: string]: Mask;
}

/** Google's partial responses: `nextPageToken,items/*&#47;disks(id,users)`. */
function parseMask(text: string): Mask {
  let at = 0;
  const list = (): Mask => {
    const mask: Mask = {};
    for (;;) {
      const name = /^[^,()/]+/.exec(text.slice(at))?.[0] ?? '';
      at += name.length;
      mask[name] = below();
      if (text[at] !== ',') return mask;
      at++;
    }
  };
  const below = (): Mask => {
    if (text[at] === '/') {
      at++;
      const name = /^[^,()/]+/.exec(text.slice(at))?.[0] ?? '';
      at += name.length;
      return { [name]: below() };
    }
    if (text[at] !== '(') return {};
    at++;
    const inner = list();
    at++;
    return inner;
  };
  return list();
}

function masked(value: unknown, mask: Mask): unknown {
  if (Object.keys(mask).length === 0 || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => masked(each, mask));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]) => {
      const inner = mask[name] ?? mask['*'];
      return inner === undefined ? [] : [[name, masked(each, inner)]];
    }),
  );
}

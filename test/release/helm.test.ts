import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { Deployment, StatefulSet } from 'kubernetes-models/apps/v1';
import { Ingress } from 'kubernetes-models/networking.k8s.io/v1';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { Pod, Secret, Service, ServiceAccount } from 'kubernetes-models/v1';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { readPage } from '../docs/pages.ts';
import { root } from './package.ts';

const chart = path.join(root, 'deploy/helm/costkeep');
const kinds = { Pod, Deployment, StatefulSet, Ingress, PodDisruptionBudget, Secret, Service, ServiceAccount };
const read = (name: string) => fs.readFileSync(path.join(chart, name), 'utf8');

interface Container {
  readonly name: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom?: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

interface Resource {
  readonly kind: keyof typeof kinds;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly replicas: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> } & Readonly<Record<string, unknown>>;
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> };
      readonly spec: {
        readonly containers: readonly [Container];
        readonly volumes?: readonly { readonly name: string }[];
        readonly enableServiceLinks: boolean;
      };
    };
    readonly volumeClaimTemplates?: readonly object[];
  };
}

/** Debian's Go packages have the template engine and the functions of Helm. */
const gopath = '/usr/share/gocode';
const hasGo =
  spawnSync('go', ['version']).status === 0 && fs.existsSync(`${gopath}/src/github.com/Masterminds/sprig/functions.go`);

/** Renders the chart with values over those of values.yaml. */
function render(values: object): { readonly resources: readonly Resource[]; readonly notes: string } {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'costkeep-chart-'));
  try {
    fs.writeFileSync(path.join(folder, 'values.json'), JSON.stringify(values));
    const env = { PATH: process.env['PATH'], HOME: folder, GOPATH: gopath, GO111MODULE: 'off', GOCACHE: goCache };
    const args = ['run', path.join(import.meta.dirname, 'render.go'), chart, path.join(folder, 'values.json')];
    const { status, stdout, stderr } = spawnSync('go', args, { env, encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    const resources = parseAllDocuments(stdout).flatMap((document) => (document.toJS() as Resource | null) ?? []);
    return { resources, notes: stderr };
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
const goCache = path.join(os.tmpdir(), 'costkeep-go');

const external = {
  mode: 'external',
  env: { FACTS_URL: 's3://costkeep-facts/prod', PUBLIC_URL: 'https://costs.example.com' },
  existingSecret: 'mine',
};
const files = {
  extraVolumes: [{ name: 'files', secret: { secretName: 'mine' } }],
  extraVolumeMounts: [{ name: 'files', mountPath: '/files', readOnly: true }],
};
/** The values that docs/install.md shows. */
const documented = parse(
  readPage('docs/install.md').blocks.find(({ text }) => text.includes('extraVolumes:'))?.text ?? '',
) as object;
const everything = {
  ...external,
  existingSecret: '',
  secretEnv: { DATABASE_URL: 'postgresql://x', JWT_KEY: 'a', ENCRYPTION_KEY: 'b: "c"' },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { a: 'b' } },
  mcp: {
    enabled: true,
    env: { SVC_API_URL: 'https://costs.example.com/api/v1', NODE_EXTRA_CA_CERTS: '/files/ca.pem', PORT: 1 },
    extraVolumeMounts: files.extraVolumeMounts,
  },
  service: { annotations: { 'prometheus.io/scrape': 'true' } },
  podAnnotations: { a: 'b' },
  podLabels: { team: 'finops' },
  serviceAccount: { annotations: { role: 'arn' } },
  imagePullSecrets: [{ name: 'registry' }],
  nodeSelector: { disk: 'ssd' },
  tolerations: [{ key: 'finops', operator: 'Exists' }],
  ...files,
};

describe.skipIf(!hasGo)('the Helm chart (skipped without Go and Sprig)', () => {
  it.each([
    ['embedded', {}, ['ServiceAccount prod', 'Service prod', 'StatefulSet prod']],
    ['documented', documented, ['ServiceAccount prod', 'Service prod', 'StatefulSet prod']],
    [
      'external',
      external,
      [
        'Deployment prod-server',
        'Deployment prod-worker',
        'PodDisruptionBudget prod-server',
        'ServiceAccount prod',
        'Service prod',
      ],
    ],
    [
      'everything',
      everything,
      [
        'Deployment prod-mcp',
        'Deployment prod-server',
        'Deployment prod-worker',
        'Ingress prod',
        'PodDisruptionBudget prod-server',
        'Secret prod',
        'Service prod',
        'Service prod-mcp',
        'ServiceAccount prod',
      ],
    ],
  ])('renders valid resources: %s', (_name, values, expected) => {
    const { resources } = render(values);
    expect(resources.map(({ kind, metadata }) => `${kind} ${metadata.name}`).sort()).toEqual(expected.toSorted());
    for (const resource of resources) new kinds[resource.kind](resource as never).validate();
  });

  it('selects the pods that it creates, and sends requests to servers only', () => {
    const { resources } = render(everything);
    const workloads = resources.filter(({ kind }) => kind === 'Deployment');
    for (const { spec } of workloads)
      expect(spec.template.metadata.labels).toMatchObject(spec.selector.matchLabels ?? {});
    const labeled = workloads.filter(({ spec }) => spec.template.metadata.labels['team'] === 'finops');
    expect(labeled.map(({ metadata }) => metadata.name)).toEqual(['prod-server', 'prod-worker']);
    const service = resources.find(({ kind, metadata }) => kind === 'Service' && metadata.name === 'prod');
    const chosen = workloads.filter(({ spec }) =>
      Object.entries(service?.spec.selector ?? {}).every(
        ([name, value]) => spec.template.metadata.labels[name] === value,
      ),
    );
    expect(chosen.map(({ metadata }) => metadata.name)).toEqual(['prod-server']);
    const [container] = chosen[0]?.spec.template.spec.containers ?? [];
    expect(container).toMatchObject({ args: ['serve'], ports: [{ name: 'http', containerPort: 3000 }] });
    expect(container?.envFrom).toEqual([{ secretRef: { name: 'prod' } }]);
    expect(container?.env).toContainEqual({ name: 'FACTS_URL', value: 's3://costkeep-facts/prod' });
  });

  it.each([
    ['embedded', files],
    ['external', everything],
  ])('mounts volumes in addition to its own: %s', (_name, values) => {
    const workloads = render(values).resources.filter(({ kind }) => kind === 'StatefulSet' || kind === 'Deployment');
    for (const { metadata, spec } of workloads) {
      const { containers, volumes = [] } = spec.template.spec;
      expect(volumes, metadata.name).toContainEqual(files.extraVolumes[0]);
      expect(containers[0].volumeMounts, metadata.name).toContainEqual(files.extraVolumeMounts[0]);
      const known = [...volumes.map(({ name }) => name), ...(spec.volumeClaimTemplates ? ['data'] : [])];
      expect(known).toEqual(expect.arrayContaining(containers[0].volumeMounts?.map(({ name }) => name) ?? []));
      expect(new Set(known).size).toBe(known.length);
    }
  });

  it('uses an existing PersistentVolumeClaim for its data', () => {
    const of = (persistence: object) =>
      render({ persistence }).resources.find(({ kind }) => kind === 'StatefulSet')?.spec;
    expect(of({})?.volumeClaimTemplates).toHaveLength(1);
    const given = of({ existingClaim: 'old' });
    expect(given?.volumeClaimTemplates).toBeUndefined();
    const data = { name: 'data', persistentVolumeClaim: { claimName: 'old' } };
    expect(given?.template.spec.volumes).toContainEqual(data);
  });

  it('gives each variable once, and none of other services', () => {
    const env = { ...external.env, HOST: '::', PORT: 1, DATA_DIR: '/x', METRICS_COSTS: false, RATE_LIMIT_READ: 0 };
    const workloads = render({ ...everything, env }).resources.filter(({ kind }) => kind === 'Deployment');
    expect(workloads).toHaveLength(3);
    for (const { spec } of workloads) {
      const { containers, enableServiceLinks } = spec.template.spec;
      expect(enableServiceLinks).toBe(false);
      const names = containers[0].env.map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
    }
    const [server, , mcp] = workloads.map(({ spec }) => spec.template.spec.containers[0].env);
    expect(mcp).toContainEqual({ name: 'PORT', value: '3005' });
    expect(mcp).toContainEqual({ name: 'SVC_API_URL', value: 'https://costs.example.com/api/v1' });
    expect(server).toContainEqual({ name: 'DATA_DIR', value: '/data' });
    expect(server).toContainEqual({ name: 'METRICS_COSTS', value: 'false' });
    expect(server).toContainEqual({ name: 'RATE_LIMIT_READ', value: '0' });
  });

  it.each([
    ['HTTP', {}],
    ['HTTPS', { env: { TLS_CERT: '/files/tls.crt', TLS_KEY: '/files/tls.key' } }],
  ])('probes with %s', (scheme, values) => {
    const [container] = render(values).resources.find(({ kind }) => kind === 'StatefulSet')?.spec.template.spec
      .containers ?? [undefined];
    const health = { httpGet: { path: '/health', port: 'http', scheme } };
    const ready = { httpGet: { path: '/ready', port: 'http', scheme } };
    expect(container).toMatchObject({ startupProbe: health, livenessProbe: health, readinessProbe: ready });
  });

  it.each([
    ['embedded', files, ['StatefulSet prod'], { persistentVolumeClaim: { claimName: 'data-prod-0' } }],
    [
      'existing claim',
      { persistence: { existingClaim: 'old' } },
      ['StatefulSet prod'],
      { persistentVolumeClaim: { claimName: 'old' } },
    ],
    ['external', everything, ['Deployment prod-server', 'Deployment prod-worker'], { emptyDir: { sizeLimit: '20Gi' } }],
  ])('stops all processes for maintenance, and starts a pod like theirs: %s', (_name, values, stopped, data) => {
    const { resources } = render({ ...values, maintenance: true });
    const none = resources.filter(({ spec }) => spec?.replicas === 0);
    expect(none.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual(stopped);
    const pod = new Pod(resources.find(({ kind }) => kind === 'Pod') as never);
    pod.validate();
    const [server] = none[0]?.spec.template.spec.containers ?? [];
    const [container] = pod.spec?.containers ?? [];
    expect(container?.env).toEqual(server?.env);
    expect(container?.envFrom).toEqual(server?.envFrom);
    expect(container?.volumeMounts?.map(({ mountPath }) => mountPath)).toEqual(
      server?.volumeMounts?.map(({ mountPath }) => mountPath),
    );
    expect(pod.spec?.volumes?.[0]).toEqual({ name: 'data', ...data });
  });

  it('accepts secrets as files', () => {
    const names = ['DATABASE_URL', 'JWT_KEY', 'ENCRYPTION_KEY'];
    const env = { ...external.env, ...Object.fromEntries(names.map((name) => [`${name}_FILE`, `/files/${name}`])) };
    expect(render({ mode: 'external', env, ...files }).resources).toHaveLength(5);
    expect(() => render({ env: { DATABASE_URL_FILE: '/files/DATABASE_URL' } })).toThrow('set mode to external');
  });

  it('refuses to run several servers without a shared database, keys and fact files', () => {
    expect(() => render({ mode: 'external', env: external.env })).toThrow('secretEnv.DATABASE_URL is missing');
    expect(() => render({ mode: 'external', existingSecret: 'mine' })).toThrow('env.FACTS_URL is missing');
    expect(() => render({ secretEnv: { DATABASE_URL: 'postgresql://x' } })).toThrow('set mode to external');
  });

  it('says where to open the console', () => {
    expect(render({}).notes).toContain('service/prod 3000:80');
    expect(render(everything).notes).toContain('Open https://costkeep.example.com');
  });
});

describe('values.schema.json', () => {
  const isValid = new Ajv({ strict: false }).compile(JSON.parse(read('values.schema.json')) as object);

  it('accepts the default values and the tested ones', () => {
    const values = parse(read('values.yaml')) as object;
    for (const mine of [{}, external, everything, documented])
      expect([isValid({ ...values, ...mine }), isValid.errors]).toEqual([true, null]);
  });

  it.each([
    ['an unknown value', { replicas: 2 }],
    ['an unknown mode', { mode: 'both' }],
    ['a variable in lower case', { env: { public_url: 'x' } }],
    ['a size without a unit', { persistence: { size: 'big' } }],
    ['zero servers', { servers: 0 }],
    ['a mount over the data', { extraVolumeMounts: [{ name: 'files', mountPath: '/data' }] }],
    ['a second volume of the same name', { extraVolumes: [{ name: 'tmp', emptyDir: {} }] }],
  ])('rejects %s', (_name, values) => {
    expect(isValid(values)).toBe(false);
  });
});

import { type Guide, type GuideCommand, type GuideRole, type Names, shellCommand } from '../guide/names.ts';
import { gcpPermissions, type GcpPermission } from './permissions.ts';

/** Id of the custom inventory role in the guide. */
const customRole = 'costkeepInventory';

/** Returns the setup of Google Cloud: the billing export in BigQuery, and a service account that may read it. */
export function gcpGuide(names: Names): Guide {
  return {
    steps: stepsOf(names),
    policy: null,
    trustPolicy: null,
    roles: rolesOf(names),
    commands: commandsOf(names),
    templates: [],
    request: requestOf(names),
  };
}

function filled(names: Names) {
  const project = names.billingProject ?? 'BILLING_PROJECT';
  const dataset = names.dataset ?? 'DATASET';
  const cut = dataset.lastIndexOf('.');
  return {
    project,
    datasetProject: cut === -1 ? project : dataset.slice(0, cut),
    dataset: dataset.slice(cut + 1),
    location: names.location ?? 'LOCATION',
    email: names.serviceAccount ?? `costkeep@${project}.iam.gserviceaccount.com`,
    scopes: names.scopes.length > 0 ? names.scopes : ['organizations/ORGANIZATION_ID'],
  };
}

function scopesOf(on: GcpPermission['on'], names: Names): readonly string[] {
  const { project, datasetProject, dataset, scopes } = filled(names);
  if (on === 'dataset') return [`${datasetProject}.${dataset}`];
  return on === 'billingProject' ? [`projects/${project}`] : scopes;
}

/** Returns one line per role and scope, with the reasons of all its permissions. */
function rolesOf(names: Names): GuideRole[] {
  const lines = new Map<string, GuideRole>();
  for (const { role, on, why } of gcpPermissions) {
    for (const scope of scopesOf(on, names)) {
      const name = role ?? `${roleHome(scope)}/roles/${customRole}`;
      const known = lines.get(`${name} ${scope}`);
      lines.set(`${name} ${scope}`, { role: name, scope, why: known ? `${known.why} ${why}` : why });
    }
  }
  return [...lines.values()];
}

/** Returns where to create the custom role of a scope: folders cannot have any. */
function roleHome(scope: string): string {
  return scope.startsWith('folders/') ? 'organizations/ORGANIZATION_ID' : scope;
}

function stepsOf(names: Names): string[] {
  const { project, dataset, location } = filled(names);
  return [
    `In Billing, Billing export, BigQuery export, turn on the detailed usage cost export into dataset ${dataset} of project ${project}, location ${location}. In a multi-region (EU, US), the export starts with the previous month; in a single region, with the current day. A FOCUS table that is linked into a dataset can also be read.`,
    'Create the service account and its key, and grant the roles, with the commands below. It needs no role on the billing account.',
    `The custom role ${customRole} lists resources and commitments. The predefined role Cloud Asset Viewer also works, but can export policies and the content of resources as well.`,
    'Connect the account with the content of key.json; then delete the file.',
  ];
}

function commandsOf(names: Names): GuideCommand[] {
  const { project, email } = filled(names);
  const [accountName = 'costkeep'] = email.split('@');
  const apis = ['bigquery.googleapis.com', 'cloudasset.googleapis.com', 'compute.googleapis.com'];
  const key = ['gcloud', 'iam', 'service-accounts', 'keys', 'create', 'key.json', `--iam-account=${email}`];
  return [
    {
      title: 'Enable the APIs',
      command: shellCommand('gcloud', 'services', 'enable', ...apis, `--project=${project}`),
    },
    {
      title: 'Create the service account',
      command: shellCommand('gcloud', 'iam', 'service-accounts', 'create', accountName, `--project=${project}`),
    },
    ...customRoles(names),
    ...rolesOf(names).map((role) => grant(role, names)),
    { title: 'Create its key', command: shellCommand(...key) },
  ];
}

function customRoles(names: Names): GuideCommand[] {
  const permissions = gcpPermissions.filter(({ role }) => role === null).map(({ permission }) => permission);
  const homes = new Set(filled(names).scopes.map(roleHome));
  return [...homes].map((home) => {
    const create = ['gcloud', 'iam', 'roles', 'create', customRole, `--${flagOf(home)}`];
    const what = [`--permissions=${permissions.join(',')}`, '--title=Costkeep inventory', '--stage=GA'];
    return { title: `Create the custom role in ${home}`, command: shellCommand(...create, ...what) };
  });
}

/** Converts `projects/x` to `project=x`. */
function flagOf(home: string): string {
  return home.replace(/s\//, '=');
}

function grant({ role, scope }: GuideRole, names: Names): GuideCommand {
  const { email } = filled(names);
  const title = `Grant ${role} on ${scope}`;
  const [kind = '', id = ''] = scope.split('/');
  if (id === '') return { title, command: grantOnDataset(role, names) };
  const group = kind === 'folders' ? ['resource-manager', 'folders'] : [kind];
  const binding = [id, `--member=serviceAccount:${email}`, `--role=${role}`, '--condition=None'];
  return { title, command: shellCommand('gcloud', ...group, 'add-iam-policy-binding', ...binding) };
}

/** Grants on the dataset only, which gcloud does not support. */
function grantOnDataset(role: string, names: Names): string {
  const { project, datasetProject, dataset, location, email } = filled(names);
  const sql = `GRANT \`${role}\` ON SCHEMA \`${datasetProject}\`.\`${dataset}\` TO "serviceAccount:${email}"`;
  return shellCommand(
    'bq',
    'query',
    `--project_id=${project}`,
    `--location=${location}`,
    '--use_legacy_sql=false',
    sql,
  );
}

function requestOf(names: Names): object {
  const { project, location, scopes } = filled(names);
  return {
    name: 'Google Cloud',
    provider: 'gcp',
    credentials: { service_account_json: { '…': 'the content of key.json' } },
    settings: {
      billing_project: project,
      dataset: names.dataset ?? 'DATASET',
      ...(names.table !== null && { table: names.table }),
      location,
      scopes,
    },
  };
}

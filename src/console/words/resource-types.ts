/** Names of Azure resource types, whose identifiers are hard to read, in lower case and without `microsoft.`. */
const azure: Readonly<Record<string, string>> = {
  'apimanagement/service': 'API Management service',
  'app/containerapps': 'Container app',
  'cache/redis': 'Azure Cache for Redis',
  'cdn/profiles': 'CDN profile',
  'cognitiveservices/accounts': 'Azure AI services account',
  'compute/disks': 'Managed disk',
  'compute/images': 'Image',
  'compute/snapshots': 'Disk snapshot',
  'compute/virtualmachines': 'Virtual machine',
  'compute/virtualmachinescalesets': 'Virtual machine scale set',
  'containerinstance/containergroups': 'Container group',
  'containerregistry/registries': 'Container registry',
  'containerservice/managedclusters': 'AKS cluster',
  'databricks/workspaces': 'Databricks workspace',
  'datafactory/factories': 'Data factory',
  'dbformysql/flexibleservers': 'Azure Database for MySQL',
  'dbforpostgresql/flexibleservers': 'Azure Database for PostgreSQL',
  'documentdb/databaseaccounts': 'Azure Cosmos DB account',
  'eventhub/namespaces': 'Event Hubs namespace',
  'insights/components': 'Application Insights',
  'keyvault/vaults': 'Key vault',
  'kusto/clusters': 'Data Explorer cluster',
  'logic/workflows': 'Logic app',
  'machinelearningservices/workspaces': 'Machine Learning workspace',
  'network/applicationgateways': 'Application gateway',
  'network/azurefirewalls': 'Azure Firewall',
  'network/bastionhosts': 'Bastion',
  'network/ddosprotectionplans': 'DDoS protection plan',
  'network/expressroutecircuits': 'ExpressRoute circuit',
  'network/frontdoors': 'Front Door',
  'network/loadbalancers': 'Load balancer',
  'network/natgateways': 'NAT gateway',
  'network/networkinterfaces': 'Network interface',
  'network/privateendpoints': 'Private endpoint',
  'network/publicipaddresses': 'Public IP address',
  'network/virtualnetworkgateways': 'Virtual network gateway',
  'network/virtualnetworks': 'Virtual network',
  'operationalinsights/workspaces': 'Log Analytics workspace',
  'recoveryservices/vaults': 'Recovery Services vault',
  'search/searchservices': 'AI Search service',
  'servicebus/namespaces': 'Service Bus namespace',
  'sql/managedinstances': 'SQL managed instance',
  'sql/servers/databases': 'SQL database',
  'sql/servers/elasticpools': 'SQL elastic pool',
  'storage/storageaccounts': 'Storage account',
  'streamanalytics/streamingjobs': 'Stream Analytics job',
  'synapse/workspaces': 'Synapse workspace',
  'web/serverfarms': 'App Service plan',
  'web/sites': 'App Service app',
};

/** Name of a resource type. The types of other providers are already names. An Azure type without a name here is shown by its
 *  last words: `microsoft.foo/barBazes` becomes `Bar bazes`. */
export function resourceTypeName(resourceType: string): string {
  if (resourceType === '') return 'Unknown type';
  const type = /^microsoft\.(.+)/i.exec(resourceType)?.[1];
  if (type === undefined) return resourceType;
  const last = type.slice(type.lastIndexOf('/') + 1).replaceAll(/([a-z])([A-Z])/g, '$1 $2');
  return azure[type.toLowerCase()] ?? `${last.charAt(0).toUpperCase()}${last.slice(1).toLowerCase()}`;
}

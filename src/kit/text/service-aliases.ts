// Short names that people type for services, with parts of the FOCUS ServiceName (or of the provider's own name) that each
// stands for. Shared with the console, so it imports nothing.

const aliases: readonly (readonly [alias: string, ...texts: string[]])[] = [
  ['aca', 'container apps'],
  ['ace', 'app engine'],
  ['acm', 'certificate manager'],
  ['acr', 'container registry'],
  ['adf', 'data factory'],
  ['ai search', 'cognitive search'],
  ['aks', 'azure kubernetes service'],
  ['alb', 'elastic load balancing'],
  ['aoai', 'azure openai'],
  ['api gw', 'api gateway'],
  ['apim', 'api management'],
  ['bq', 'bigquery'],
  ['cdn', 'cloudfront', 'content delivery network', 'cloud cdn'],
  ['cosmos', 'cosmos db'],
  ['cw', 'cloudwatch'],
  ['ddb', 'dynamodb'],
  ['dms', 'database migration service'],
  ['dynamo', 'dynamodb'],
  ['ebs', 'elastic block store'],
  ['ec2', 'elastic compute cloud'],
  ['ecr', 'elastic container registry', 'ec2 container registry'],
  ['ecs', 'elastic container service'],
  ['efs', 'elastic file system'],
  ['eks', 'elastic kubernetes service', 'elastic container service for kubernetes'],
  ['elb', 'elastic load balancing'],
  ['emr', 'elastic mapreduce'],
  ['es', 'elasticsearch', 'opensearch'],
  ['fargate', 'elastic container service'],
  ['gae', 'app engine'],
  ['gce', 'compute engine'],
  ['gcf', 'cloud functions', 'cloud run functions'],
  ['gcr', 'container registry', 'artifact registry'],
  ['gcs', 'cloud storage'],
  ['gke', 'kubernetes engine'],
  ['k8s', 'kubernetes'],
  ['kms', 'key management service'],
  ['logs', 'cloudwatch', 'cloud logging', 'log analytics'],
  ['msk', 'managed streaming for apache kafka'],
  ['nat', 'virtual private cloud', 'nat gateway', 'cloud nat'],
  ['nlb', 'elastic load balancing'],
  ['pubsub', 'pub/sub'],
  ['r53', 'route 53'],
  ['rds', 'relational database service'],
  ['s3', 'simple storage service'],
  ['ses', 'simple email service'],
  ['sns', 'simple notification service'],
  ['sqs', 'simple queue service'],
  ['ssm', 'systems manager'],
  ['vm', 'virtual machines', 'compute engine', 'elastic compute cloud'],
  ['vmss', 'virtual machine scale sets', 'virtual machines'],
  ['vnet', 'virtual network'],
  ['vpc', 'virtual private cloud'],
  ['waf', 'web application firewall'],
];

/** Whether a name contains a text, ignoring case, or is a service that the text abbreviates: `EC2` finds `Amazon Elastic
 *  Compute Cloud`. Two characters at the start of a short name are enough. */
export function nameMatches(name: string, search: string): boolean {
  const text = search.trim().toLowerCase();
  const whole = name.toLowerCase();
  return whole.includes(text) || aliasedTexts(text).some((one) => whole.includes(one));
}

/** Parts of the names of services whose short name begins with the text, such as `elastic compute cloud` for `ec2`. */
export function aliasedTexts(search: string): string[] {
  const text = search.trim().toLowerCase();
  if (text.length < 2) return [];
  return aliases.flatMap(([alias, ...texts]) => (alias.startsWith(text) ? texts : []));
}

/** What a kind of usage is, what makes it grow, and what to do then. */
export interface MeterNature {
  readonly cause: string;
  readonly step: string;
}

/** By words of usage types, charge descriptions and services of the large clouds, the more special first. */
const natures: readonly (MeterNature & { readonly words: RegExp })[] = [
  {
    words: /nat.?gateway|natgateway|cloud nat/i,
    cause:
      'More data through a NAT gateway: repeated downloads of images or packages, or traffic to storage and registries that could use a private endpoint.',
    step: 'Check the flow logs for the senders behind the NAT gateway, and create endpoints for storage and registries inside the network.',
  },
  {
    words:
      /data ?transfer|datatransfer|egress|out-bytes|in-bytes|regional-bytes|bandwidth|internet|inter.?(zone|region)/i,
    cause:
      'More data transferred: a backup or replication between regions, services that communicate across zones, or downloads from outside.',
    step: 'Find the largest senders in flow logs or access logs, and check whether the data needs to leave its zone or region.',
  },
  {
    words: /token|openai|bedrock|vertex ai|gemini|inference|cognitive/i,
    cause:
      'More calls to a model, or longer ones: a retry loop, larger prompts, a batch job, or a leaked or shared key.',
    step: 'Break down the model calls by key, application and model, limit retries and set a quota.',
  },
  {
    words: /bigquery|analysis|athena|scanned|query|redshift|synapse|dataprocessed/i,
    cause: 'More data scanned by queries: a dashboard that refreshes too often, or a query without a partition filter.',
    step: 'List the queries of these days by bytes scanned, and limit the most expensive ones.',
  },
  {
    words: /cloudwatch|log analytics|cloud logging|ingest|logs|vended|monitor/i,
    cause: 'More logs or metrics: debug logging left on, an error that repeats, or a new source that sends too much.',
    step: 'Sort log groups by bytes ingested on these days, lower the log level of the largest ones and set a retention period.',
  },
  {
    words: /lambda|functions|invocation|gb-second|requests?\b|tier1|tier2|api ?call|queue|sqs|sns|pub.?sub|event/i,
    cause: 'More calls: a retry loop, a queue or an event that feeds its own consumer, or a crawler.',
    step: 'Compare calls and errors of these days with the days before, and look for messages that are processed repeatedly.',
  },
  {
    words: /snapshot|backup/i,
    cause: 'More snapshots or backups kept: a schedule without an expiry, or one that ran twice.',
    step: 'List snapshots and backups by age and owner, and set a retention period.',
  },
  {
    words: /gpu|p[345]d?n?\.|g[456]n?\.|\bnd\d|\bnc\d|a100|h100|accelerator/i,
    cause:
      'GPU capacity: a training job that did not end, a notebook left running, or, if its owner is unknown, mining with stolen credentials.',
    step: 'Find the owner of the GPU instances; without one, treat it as an incident and rotate the credentials that started them.',
  },
  {
    words: /storage|timedstorage|bytehrs|gb-mo|volume|disk|ebs|s3|blob/i,
    cause:
      'More data stored, or more of it in a more expensive class: an export or copy that is kept, accumulating versions, or a lifecycle rule that is turned off.',
    step: 'Check what was written on these days, and whether lifecycle rules still move or delete old data.',
  },
  {
    words: /boxusage|instance|vcpu|compute|hours|virtual machine|\bvm\b|core|fargate|cluster|node|ec2|container/i,
    cause: 'More or larger machines: scaling out, an environment that was not turned off, or a changed instance type.',
    step: 'Compare the number, types and owners of machines with the week before, and check the limits and schedules of autoscaling.',
  },
];

/** What a usage type is about, from its own words first and from the service's else; null where neither says.
 *  @param meter the usage type with its description */
export function meterNatureOf(meter: string, service: string): MeterNature | null {
  return natures.find(({ words }) => words.test(meter)) ?? natures.find(({ words }) => words.test(service)) ?? null;
}

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
      'More data through a NAT gateway: images or packages pulled again and again, or traffic to storage and registries that could take a private endpoint.',
    step: 'Look in the flow logs for what sends through the NAT gateway, and give storage and registries an endpoint inside the network.',
  },
  {
    words:
      /data ?transfer|datatransfer|egress|out-bytes|in-bytes|regional-bytes|bandwidth|internet|inter.?(zone|region)/i,
    cause:
      'More data transferred: a backup or replication between regions, services that talk across zones, or downloads from outside.',
    step: 'Find the largest senders in flow logs or access logs, and see whether the data needs to leave its zone or region.',
  },
  {
    words: /token|openai|bedrock|vertex ai|gemini|inference|cognitive/i,
    cause:
      'More calls to a model, or longer ones: a retry loop, larger prompts, a batch job, or a key that somebody else uses.',
    step: 'Break calls to the model down by key, application and model, cap retries and set a quota.',
  },
  {
    words: /bigquery|analysis|athena|scanned|query|redshift|synapse|dataprocessed/i,
    cause:
      'More data scanned by queries: a dashboard that refreshes too often, or a query without a filter on the partition.',
    step: 'List the queries of these days by bytes scanned, and limit the most expensive ones.',
  },
  {
    words: /cloudwatch|log analytics|cloud logging|ingest|logs|vended|monitor/i,
    cause: 'More logs or metrics: debug logging left on, an error that repeats, or a new source that sends everything.',
    step: 'Sort log groups by bytes ingested on these days, lower the log level of the loudest and set a retention.',
  },
  {
    words: /lambda|functions|invocation|gb-second|requests?\b|tier1|tier2|api ?call|queue|sqs|sns|pub.?sub|event/i,
    cause: 'More calls: a retry loop, a queue or an event that feeds its own consumer, or a crawler.',
    step: 'Compare calls and errors of these days with the days before, and look for messages that are handled again and again.',
  },
  {
    words: /snapshot|backup/i,
    cause: 'More snapshots or backups kept: a schedule without an end, or one that ran twice.',
    step: 'List snapshots and backups by age and owner, and set how long they are kept.',
  },
  {
    words: /gpu|p[345]d?n?\.|g[456]n?\.|\bnd\d|\bnc\d|a100|h100|accelerator/i,
    cause:
      'GPU capacity: a training job that did not end, a notebook left on, or, where nobody knows it, mining with stolen credentials.',
    step: 'Ask who runs the GPU instances; where nobody answers, treat it as an incident and rotate the credentials that started them.',
  },
  {
    words: /storage|timedstorage|bytehrs|gb-mo|volume|disk|ebs|s3|blob/i,
    cause:
      'More data stored, or more of it in a dearer class: an export or copy that is kept, versions that pile up, or a lifecycle rule that is off.',
    step: 'See what was written on these days, and whether lifecycle rules still move or delete old data.',
  },
  {
    words: /boxusage|instance|vcpu|compute|hours|virtual machine|\bvm\b|core|fargate|cluster|node|ec2|container/i,
    cause:
      'More or larger machines: scaling out, an environment that was not switched off, or an instance type that was changed.',
    step: 'Compare the number, types and owners of machines with the week before, and check the limits and schedules of autoscaling.',
  },
];

/** What a usage type is about, from its own words first and from the service's else; null where neither says.
 *  @param meter the usage type with its description */
export function meterNatureOf(meter: string, service: string): MeterNature | null {
  return natures.find(({ words }) => words.test(meter)) ?? natures.find(({ words }) => words.test(service)) ?? null;
}

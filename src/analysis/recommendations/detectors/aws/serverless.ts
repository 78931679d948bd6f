import { detectorsOf, reversible } from '../detector.ts';
import { numberOf, per, times } from '../figures.ts';
import { nonProductionTag } from '../nonproduction.ts';
import { priceCut } from '../repriced.ts';
import { sh } from '../script.ts';
import { monthlyCost, onDemandOf, quantityOf, shareOf, spread, usageOf, type Subject, type Usage } from '../subject.ts';

export const awsServerless = detectorsOf('aws', [
  {
    type: 'aws_lambda_arm',
    summary: 'Lambda function on x86',
    title: ({ name }) => `Run the function ${name} on arm64`,
    description:
      'The same function on arm64 costs a fifth less for its duration. Interpreted languages need no change; ' +
      'native dependencies must be built for arm64.',
    confidence: 'medium',
    method: 'factor',
    find(subject, context) {
      const { architecture } = subject.metadata;
      const usage = onDemandOf(subject, /^Lambda-GB-Second$/);
      if (architecture === 'arm64') return null;
      // 0.0000133334 instead of 0.0000166667 per GB-second (Lambda price page).
      const { savings, method } = priceCut(context, { subject, usage, meter: 'Lambda-GB-Second-ARM' }, 20);
      return { savings, method, evidence: { architecture: architecture ?? null } };
    },
    script: reversible(
      'Upload the package built for arm64, function.zip',
      ({ region }, name) =>
        sh`aws lambda update-function-code --region=${region} --function-name=${name} --architectures=arm64 --zip-file=fileb://function.zip --publish`,
    ),
  },
  {
    type: 'aws_lambda_provisioned_unused',
    summary: 'Lambda function that uses less than half of its provisioned concurrency',
    title: ({ name }) => `Provision less concurrency for ${name}`,
    description:
      'Less than half of the provisioned concurrency of this function is used. Provision only what its busiest ' +
      'hours need, on a schedule if those hours are known.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const usage = usageOf(subject, /^Lambda-Provisioned-Concurrency/);
      const provisioned = quantityOf(subject, /^Lambda-Provisioned-Concurrency/);
      const used = quantityOf(subject, /^Lambda-Provisioned-GB-Second/);
      if (provisioned <= 0n || used * 2n >= provisioned) return null;
      const cost = monthlyCost(usage, window);
      const share = per(used, provisioned);
      return {
        savings: spread(usage, cost - times(cost, share)),
        evidence: { used_percent: Math.round(numberOf(share) * 10_000) / 100 },
      };
    },
    script: reversible(
      'Show the provisioned concurrency',
      ({ region }, name) =>
        sh`aws lambda list-provisioned-concurrency-configs --region=${region} --function-name=${name}`,
    ),
  },
  {
    type: 'aws_fargate_arm',
    summary: 'Fargate tasks on x86',
    title: ({ name }) => `Run the tasks of ${name} on arm64`,
    description:
      'The same vCPUs and memory cost a fifth less on arm64. Build the image for both architectures and set ' +
      'runtimePlatform.cpuArchitecture to ARM64 in the task definition.',
    confidence: 'medium',
    method: 'factor',
    find(subject, { window }) {
      const usage = taskUsageOf(subject, /^Fargate-(vCPU|GB)-Hours(?!.*(ARM|Windows))/);
      // aws.amazon.com/fargate/pricing.
      return { savings: shareOf(usage, 20, window), evidence: { meters: usage.map(({ meter }) => meter) } };
    },
  },
  {
    type: 'aws_fargate_spot',
    summary: 'Non-production Fargate tasks that do not use Fargate Spot',
    title: ({ name }) => `Run the tasks of ${name} on Fargate Spot`,
    description:
      'A tag marks these tasks as non-production. On Fargate Spot they cost up to 70% less, and can be ' +
      'interrupted with a two-minute notice. Use the capacity provider FARGATE_SPOT for the service.',
    confidence: 'low',
    method: 'upper_bound',
    find(subject, { window }) {
      const environment = nonProductionTag(subject);
      const usage = taskUsageOf(subject, /^Fargate-(vCPU|GB)-Hours(?!.*Windows)/);
      // aws.amazon.com/fargate/pricing.
      return environment === null ? null : { savings: shareOf(usage, 70, window), evidence: { environment } };
    },
  },
]);

/** Returns on-demand Fargate usage by ECS tasks. EKS pods are billed on the same meters, but support neither arm64 nor Spot
 *  capacity (EKS user guide, Fargate considerations). */
function taskUsageOf(subject: Subject, meter: RegExp): Usage[] {
  if (/:eks:/.test(subject.nativeId)) return [];
  return onDemandOf(subject, meter).filter(({ service }) => !/Kubernetes|EKS/i.test(service));
}

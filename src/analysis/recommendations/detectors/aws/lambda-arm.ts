import type { Detector } from '../../detector.ts';
import { sh } from '../../script.ts';
import { onDemandOf, shortId } from '../../subject.ts';
import { priceCut } from './price-cut.ts';

/** A GB-second on arm64 costs 0.0000133334 where one on x86 costs 0.0000166667 (Lambda price page). */
const factor = 20;

/** The same function on arm64 costs a fifth less. Catalogue 35. */
export const lambdaArm: Detector = {
  type: 'aws_lambda_arm',
  summary: 'Lambda function on x86',
  provider: 'aws',
  about: 'resource',
  detect(subject, context) {
    const usage = onDemandOf(subject, /^Lambda-GB-Second$/);
    const cut = priceCut(context, { subject, usage, meters: ['Lambda-GB-Second-ARM'] }, factor);
    if (cut === null || subject.metadata.architecture === 'arm64') return null;
    const name = shortId(subject.nativeId);
    return {
      title: `Run the function ${subject.name} on arm64`,
      description:
        'The same function on arm64 costs a fifth less for its duration. Interpreted languages need no change; ' +
        'native dependencies must be built for arm64.',
      ...cut,
      confidence: 'medium',
      evidence: { architecture: subject.metadata.architecture ?? null },
      scripts: () => [
        {
          kind: 'aws_cli',
          title: 'Upload the package built for arm64, function.zip',
          script: sh`aws lambda update-function-code --region=${subject.region} --function-name=${name} --architectures=arm64 --zip-file=fileb://function.zip --publish`,
          reversible: true,
        },
      ],
    };
  },
};

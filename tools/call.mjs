/**
 * Calls the API of a running standalone as the demo app's backend does, with a signature, or, for /manage/..., as its
 * operator. It prints the answer's body; `--headers` prints its head, too. A GET is asked to show the last command's
 * result: the read models may be a moment behind.
 */
import process from 'node:process';
import { call, renderCurl, keepToken, keptToken, readDemo, buildRequest } from './demo.mjs';
import { endWithReader, EXIT_CODES, reportError } from './process.mjs';

const HELP = `Usage: npm run -s call -- [OPTIONS] METHOD PATH [JSON] [HEADER:VALUE ...]

Calls the running standalone as the demo app. {appId} in PATH stands for the demo app's id.

  --headers     print the answer's head, too
  --field NAME  print one field of the answer alone
  --curl        send nothing: print the curl line that makes this request, signed. It can be pasted
                into a shell within five minutes, and holds a credential

  npm run -s call -- GET /sdk/plans
  npm run -s call -- POST /sdk/subscriptions/sub_1/cancel '{}'
  npm run -s call -- GET /manage/apps/{appId}/test-clock

Exit codes: 0 done, 1 refused, 2 not understood, 3 not reached.
`;

endWithReader();
const args = process.argv.slice(2);
const showsHeaders = take(args, '--headers') !== undefined;
const asCurl = take(args, '--curl') !== undefined;
const field = take(args, '--field', 1);
const [method, address, ...rest] = args;
if (args.includes('--help') || address === undefined || method.startsWith('-')) {
  const isAsked = args.includes('--help');
  (isAsked ? console.log : console.error)(HELP);
  process.exit(isAsked ? 0 : EXIT_CODES.usage);
}
try {
  const demo = readDemo();
  const json = rest.find((argument) => argument.startsWith('{') || argument.startsWith('['));
  const headers = {
    ...(method === 'GET' && keptToken()),
    ...Object.fromEntries(
      rest.filter((argument) => argument !== json).map((argument) => argument.split(/:(.*)/s, 2)),
    ),
  };
  // An empty signed POST would share its signature with any GET, so it has a body, at least {}.
  const sent = json ?? (method === 'POST' ? '{}' : '');
  const request = [demo, method, address.replaceAll('{appId}', demo.appId), sent, headers];
  if (asCurl) console.log(renderCurl(buildRequest(...request), showsHeaders ? ['-i'] : []));
  else await print(await call(...request));
} catch (error) {
  reportError(error);
}

async function print(answer) {
  keepToken(answer.headers);
  if (showsHeaders) {
    console.log(`HTTP ${answer.status}`);
    for (const [name, value] of answer.headers) console.log(`${name}: ${value}`);
    console.log();
  }
  const text = await answer.text();
  const body = isJson(answer) ? JSON.parse(text) : text;
  if (field !== undefined && answer.ok) console.log(body[field]);
  else if (typeof body === 'string') console.log(body);
  else (answer.ok ? console.log : console.error)(JSON.stringify(body, null, 2));
  const isLater = answer.status === 503 || answer.status === 429;
  if (!answer.ok) process.exitCode = EXIT_CODES[isLater ? 'unreachable' : 'refused'];
}

function isJson(answer) {
  return (answer.headers.get('content-type') ?? '').includes('json');
}

/** Takes an option out of the arguments: itself, or the value behind it. */
function take(list, name, values = 0) {
  const index = list.indexOf(name);
  return index === -1 ? undefined : list.splice(index, 1 + values)[values];
}

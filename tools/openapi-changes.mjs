/**
 * Lists the changes of our document that break callers of an earlier one (decision 0018): parts that are no longer
 * there, and new required parts of requests. An addition breaks no caller.
 *
 * node tools/openapi-changes.mjs [EARLIER LATER], by default the released documents and the present ones.
 */
import { readFileSync } from 'node:fs';
import process from 'node:process';
import { PROGRAMS } from './openapi-programs.mjs';
import { compareSchemas } from './openapi-schemas.mjs';

const METHODS = ['get', 'put', 'post', 'patch', 'delete'];
const pairs =
  process.argv.length > 2
    ? [process.argv.slice(2)]
    : PROGRAMS.map(({ released, document }) => [released, document]);
let earlier;
let later;
for (const [earlierFile, laterFile] of pairs) {
  earlier = readDocument(earlierFile);
  later = readDocument(laterFile);
  report(earlierFile, [
    ...comparePaths(earlier.paths ?? {}, later.paths ?? {}, 'path'),
    ...comparePaths(earlier.webhooks ?? {}, later.webhooks ?? {}, 'webhook'),
  ]);
}

function report(earlierFile, findings) {
  if (findings.length === 0) return;
  for (const finding of findings) console.error(finding);
  console.error(
    `\n${findings.length} changes break those who go by ${earlierFile}. Where that is meant, say so in ` +
      'CHANGELOG.md and make this document the released one: npm run openapi -- --release',
  );
  process.exitCode = 1;
}

function readDocument(file) {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function comparePaths(before, after, kind) {
  return Object.entries(before).flatMap(([name, methods]) => {
    if (after[name] === undefined) return [`${kind} ${name}: removed`];
    return METHODS.filter((method) => methods[method] !== undefined).flatMap((method) => {
      const where = `${method.toUpperCase()} ${name}`;
      const found = after[name][method];
      if (found === undefined) return [`${where}: removed`];
      return compareOperations(methods[method], found, where, kind === 'webhook');
    });
  });
}

/** Others take our webhooks: their body is read as an answer is. */
function compareOperations(before, after, where, isWebhook) {
  return [
    ...compareParameters(before.parameters ?? [], after.parameters ?? [], where),
    ...compareBodies(before.requestBody, after.requestBody, where, isWebhook),
    ...(isWebhook ? [] : compareResponses(before.responses, after.responses, where)),
    ...removedCallers(before.security, after.security, where),
  ];
}

function compareParameters(before, after, where) {
  const describeParameter = (parameter) => `${parameter.in} parameter ${parameter.name}`;
  const known = new Map(before.map((parameter) => [describeParameter(parameter), parameter]));
  const found = new Map(after.map((parameter) => [describeParameter(parameter), parameter]));
  return [
    ...[...known].flatMap(([name, parameter]) => {
      if (!found.has(name)) return [`${where}: ${name} removed`];
      const schemas = [parameter.schema, found.get(name).schema];
      return compare(schemas, `${where}: ${name}`, 'request');
    }),
    ...[...found]
      .filter(([name, { required }]) => required && !known.get(name)?.required)
      .map(([name]) => `${where}: ${name} newly required`),
  ];
}

function compareBodies(before, after, where, isWebhook) {
  const isNewlyRequired = !isWebhook && after?.required === true && before?.required !== true;
  return [
    ...(isNewlyRequired ? [`${where}: a body newly required`] : []),
    ...compareContents(before, after, `${where}: body`, isWebhook ? 'answer' : 'request'),
  ];
}

function compareResponses(before, after, where) {
  return Object.entries(before).flatMap(([status, response]) => {
    const name = `${where}: answer ${status}`;
    const [known, found] = [resolve(earlier, response), resolve(later, after[status])];
    if (found === undefined) return [`${name} removed`];
    const headers = Object.keys(known.headers ?? {});
    return [
      ...headers
        .filter((header) => found.headers?.[header] === undefined)
        .map((header) => `${name}: header ${header} removed`),
      ...compareContents(known, found, name, 'answer'),
    ];
  });
}

function compareContents(before, after, where, direction) {
  return Object.entries(before?.content ?? {}).flatMap(([type, { schema }]) => {
    const found = after?.content?.[type];
    if (found === undefined) return [`${where}: ${type} removed`];
    return compare([schema, found.schema], where, direction);
  });
}

function removedCallers(before = [], after = [], where) {
  const describeParameter = (scheme) => Object.keys(scheme).join('+');
  const found = new Set(after.map(describeParameter));
  return before
    .map(describeParameter)
    .filter((name) => !found.has(name))
    .map((name) => `${where}: caller ${name} removed`);
}

function compare([before, after], where, direction) {
  const resolvers = { before: (at) => resolve(earlier, at), after: (at) => resolve(later, at) };
  return compareSchemas(before, after, { where, direction, ...resolvers });
}

function resolve(document, node) {
  if (typeof node?.$ref !== 'string') return node;
  const names = node.$ref.replace('#/', '').split('/');
  return names.reduce((at, name) => at?.[name], document);
}

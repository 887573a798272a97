import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Route } from '#nest';

/** As every error is (rules/api 12), with a sentence. */
const ERROR: unknown = expect.objectContaining({
  code: expect.any(Number),
  message: expect.stringMatching(/^[A-Z].*\.$/),
  details: expect.arrayContaining([expect.objectContaining({ domain: 'subledger' })]),
});

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

/** A document, and the program that serves it. */
interface LookedAt {
  document: OpenAPIObject;
  served: readonly Route[];
  operations: readonly { readonly name: string; readonly operation: Operation }[];
  /** @throws Error where there is none of that name. */
  find(name: string): Operation;
  /** The values of `reason` that are documented for a status. */
  reasonsIn(operation: Operation, status: string): string[];
}

interface Program {
  /** With all of its routes, connected to nothing. */
  readonly create: () => Promise<{ app: NestFastifyApplication; routes: readonly Route[] }>;
  /** Addresses that are served and left out, with or without their method. */
  readonly notDocumented: readonly string[];
  /** Whether an operation is for everybody who knows its address. */
  readonly takesNoCredentials: (name: string) => boolean;
}

/** The rules that the documents of all our programs are held to. @returns the checked document, once tests run. */
export function describeDocument(
  title: string,
  { create, notDocumented, takesNoCredentials }: Program,
): LookedAt {
  // Filled before the first test runs; tests are the only ones that look.
  const looked = {} as LookedAt;
  let app: NestFastifyApplication;
  beforeAll(async () => {
    const created = await create();
    app = created.app;
    const document: OpenAPIObject = (await app.inject('/openapi.json')).json();
    Object.assign(looked, lookAt(document), { served: created.routes });
  });
  afterAll(async () => app.close());

  describe(title, () => {
    it('has every route that is served, but for those that are left out by name, and no other', () => {
      const isLeftOut = ({ method, url }: Route) =>
        notDocumented.some((each) => each === url || each === `${method} ${url}`);
      const routes = looked.served
        .filter((route) => route.method !== 'HEAD' && !isLeftOut(route))
        .map(({ method, url }) => `${method} ${url.replaceAll(/:(\w+)/g, '{$1}')}`);
      expect(looked.operations.map(({ name }) => name).sort()).toEqual([...new Set(routes)].sort());
      const known = new Set(looked.served.flatMap(({ method, url }) => [url, `${method} ${url}`]));
      expect(notDocumented.filter((each) => !known.has(each))).toEqual([]);
    });

    it('has each name that is a part of an address as a parameter', () => {
      for (const { name, operation } of looked.operations) {
        const named = (operation.parameters ?? []).map((each) => ('in' in each ? each : undefined));
        const inPath = named.filter((each) => each?.in === 'path').map((each) => `{${each?.name}}`);
        expect([name, inPath.sort()]).toEqual([name, (name.match(/\{\w+\}/g) ?? []).sort()]);
      }
    });

    it('says of each operation what it does, in one line, under a name of its own', () => {
      for (const { name, operation } of looked.operations) {
        const { summary = '', operationId = '', tags = [] } = operation;
        expect([name, summary]).toEqual([name, expect.stringMatching(/^[A-Z][^\n]{5,120}[^.]$/)]);
        expect(`${summary} ${operation.description ?? ''}`).not.toMatch(/decision \d|rules\//);
        expect(operationId).toMatch(/^[a-z][A-Za-z]*_[a-z][A-Za-z]*$/);
        const known = (looked.document.tags ?? []).map((tag) => tag.name);
        expect(tags.filter((tag) => !known.includes(tag))).toEqual([]);
        expect(tags).toHaveLength(1);
      }
      const ids = looked.operations.map(({ operation }) => operation.operationId);
      expect(new Set(ids).size).toBe(ids.length);
    });

    it('says who may call, how it is answered, and how it is refused', () => {
      for (const { name, operation } of looked.operations) {
        const isOpen = operation.security?.length === 0;
        expect([name, isOpen]).toEqual([name, takesNoCredentials(name)]);
        const statuses = Object.keys(operation.responses);
        expect([name, ...statuses]).toEqual(expect.arrayContaining(['400', '500', '503']));
        expect([name, statuses.includes('401')]).toEqual([name, !isOpen]);
        const accepted = Object.entries(operation.responses).filter(([status]) => status < '300');
        expect([name, accepted.length]).not.toContain(0);
        for (const [status, answer] of accepted) {
          const content = answer !== undefined && 'content' in answer ? answer.content : undefined;
          expect([name, status, content === undefined]).toEqual([name, status, status === '204']);
        }
      }
    });

    it('shows a real request for each operation, and each of its answers, refusals among them', () => {
      const contents = (described: object | undefined): object[] =>
        described !== undefined && 'content' in described
          ? Object.values(described.content as Record<string, object>)
          : [];
      for (const { name, operation } of looked.operations) {
        const { requestBody, responses } = operation;
        // An answer that has several forms, such as JSON and CSV, is shown in one of them.
        for (const shown of [requestBody, ...Object.values(responses)]) {
          const forms = contents(shown);
          const isShown = forms.length === 0 || forms.some((content) => 'example' in content);
          expect([name, isShown]).toEqual([name, true]);
        }
      }
      for (const [name, answer] of Object.entries(looked.document.components?.responses ?? {})) {
        for (const content of contents(answer)) {
          expect([name, content]).toEqual([name, expect.objectContaining({ example: ERROR })]);
        }
      }
    });

    it('shows a refusal with one of its reasons, and says what each of them means', () => {
      for (const { name, operation } of looked.operations) {
        for (const [status, answer] of Object.entries(operation.responses)) {
          if (Number(status) < 400 || answer === undefined || !('content' in answer)) continue;
          const [media] = Object.values(answer.content as Record<string, { example: unknown }>);
          expect([name, status, media?.example]).toEqual([name, status, ERROR]);
          const [reason] = /(?<="reason":")\w+/.exec(JSON.stringify(media?.example)) ?? [];
          expect(looked.reasonsIn(operation, status)).toContain(reason);
        }
      }
      const { responses = {} } = looked.document.components ?? {};
      const described = [
        responses,
        ...looked.operations.map(({ operation }) => operation.responses),
      ];
      const lines = described
        .flatMap((each) => Object.entries(each))
        .flatMap(([status, answer]) =>
          /404|NotFound/.test(status) ? [] : [JSON.stringify(answer)],
        )
        .flatMap((text) => text.match(/- `[A-Z_]+`[^\\"]*/g) ?? []);
      expect(lines.filter((line) => !/`: [A-Z]/.test(line))).toEqual([]);
    });

    it('shows a failure of ours where there can be one', () => {
      const { responses = {} } = looked.document.components ?? {};
      expect(JSON.stringify(responses['ServiceUnavailable'])).toMatch(
        /"example":{"code":14,.*RetryInfo.*RequestInfo/,
      );
      expect(JSON.stringify(responses['InternalServerError'])).toMatch(/"example":{"code":13/);
    });

    it('has no fractions, and no OpenAPI 3.0 nulls', () => {
      const text = JSON.stringify(looked.document);
      expect(text).not.toContain('"type":"number"');
      expect(text).not.toContain('"nullable"');
    });

    it('requires no field that has a default', () => {
      const { schemas = {} } = looked.document.components ?? {};
      for (const [name, schema] of Object.entries(schemas)) {
        if ('$ref' in schema) continue;
        for (const field of schema.required ?? []) {
          expect([name, field, schema.properties?.[field]]).not.toHaveProperty('2.default');
        }
      }
    });

    it('resolves every reference', () => {
      const references = [...JSON.stringify(looked.document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
      expect(references.length).toBeGreaterThan(100);
      for (const [, reference = ''] of references) {
        const found = reference
          .split('/')
          .reduce<unknown>(
            (at, key) => (at as Record<string, unknown> | undefined)?.[key],
            looked.document,
          );
        expect([reference, found]).not.toContain(undefined);
      }
    });
  });
  return looked;
}

function lookAt(document: OpenAPIObject): Omit<LookedAt, 'served'> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  return {
    ...{ document, operations },
    find: (name) => {
      const found = operations.find((each) => each.name === name);
      if (found === undefined) throw new Error(`there is no ${name}`);
      return found.operation;
    },
    reasonsIn: ({ responses }, status) => {
      const named = responses[status];
      const shared = document.components?.responses ?? {};
      const response =
        named !== undefined && '$ref' in named ? shared[named.$ref.split('/').at(-1) ?? ''] : named;
      const [, list = '[]'] =
        /"reason":{"type":"string","enum":(\[.*?\])/.exec(JSON.stringify(response ?? {})) ?? [];
      // The expression finds a list of texts.
      return JSON.parse(list) as string[];
    },
  };
}

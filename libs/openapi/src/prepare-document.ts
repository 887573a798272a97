import type { INestApplication } from '@nestjs/common';
import { type DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { completed, type FieldOrder, type Written } from './completed.js';

/** The sources of a program's document, beside its controllers. */
export interface DocumentSources extends Omit<Written, 'order'> {
  /** The title, the description, and the credentials. */
  readonly builder: DocumentBuilder;
  /** In the order in which they are shown. */
  readonly tags: readonly (readonly [name: string, description: string])[];
  /** The types and comments of DTOs, as `npm run openapi-meta` found them. */
  readonly metadata: () => Promise<Metadata>;
}

/** As the generator of Nest's writes it. */
type Metadata = Readonly<Record<'@nestjs/swagger', { readonly models: readonly unknown[] }>>;

/** @returns the maker of the document, for a first request: no start waits for that. */
export async function prepareDocument(
  app: INestApplication,
  { builder, tags, metadata, ...written }: DocumentSources,
): Promise<() => OpenAPIObject> {
  await SwaggerModule.loadPluginMetadata(metadata);
  const order = await readFieldOrder(metadata);
  for (const [name, description] of tags) builder.addTag(name, description);
  return () => completed(createDocument(app, builder), { ...written, order });
}

function createDocument(app: INestApplication, builder: DocumentBuilder): OpenAPIObject {
  const { info, ...config } = builder.build();
  // As package.json has it; SPDX names a licence that is not on its list in this way.
  const license = { name: 'UNLICENSED', identifier: 'LicenseRef-UNLICENSED' };
  const licensed = { ...info, license };
  return SwaggerModule.createDocument(app, { ...config, info: licensed }, { operationIdFactory });
}

async function readFieldOrder(metadata: DocumentSources['metadata']): Promise<FieldOrder> {
  const { models } = (await metadata())['@nestjs/swagger'];
  // A model is the import of its file and the fields of each class.
  const classes = (models as readonly [unknown, object][]).flatMap(([, fieldsByClass]) =>
    Object.entries(fieldsByClass),
  );
  return new Map(classes.map(([name, fields]) => [name, Object.keys(fields as object)]));
}

/** `plans_byCode`: generated clients make good names of it. */
function operationIdFactory(controller: string, method: string): string {
  const name = controller.replace(/Controller$/, '');
  return `${name.charAt(0).toLowerCase()}${name.slice(1)}_${method}`;
}

export default async () => ({ '@nestjs/swagger': { models: [] as [unknown, object][], controllers: [] } });

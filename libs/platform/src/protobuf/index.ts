export { ProtobufReader } from './protobuf-reader.js';
export { ProtobufWriter } from './protobuf-writer.js';

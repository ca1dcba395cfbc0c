export { type ListenOptions, runHttp } from "./run";

import type { Host, LimitRow, Measurement, PresetRow, Settings } from './host.js';
/** The component's exports, as the transpiler spells them. */
export interface Exports {
    fitting: {
        fit(json: string, schema: Variant, settings: Wire): Variant;
        measure(json: string, settings: Wire): Measurement;
        failureResult(failure: Variant, settings: Wire): string;
    };
    settling: {
        settle(policyJson: string, request: Record<string, string | undefined>): Wire;
        limitRows(): LimitRow[];
        presetRows(): PresetRow[];
    };
}
/** A component that was transpiled. */
export interface Source {
    instantiate(module: () => WebAssembly.Module, imports: object, core: (module: WebAssembly.Module, imports: object) => WebAssembly.Instance): Exports;
    module: WebAssembly.Module;
    sha256: string;
}
interface Variant {
    tag: string;
    val?: unknown;
}
/** Settings as they cross; passed back as they came. */
type Wire = Omit<Settings, 'limits'> & {
    limits: Record<string, number | undefined>;
};
/** A host that runs `source`. */
export declare function componentHost(source: Source): Host;
export {};

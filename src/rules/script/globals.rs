//! Names that the language, browsers, Node and test runners declare.

/// The language itself and what browsers, workers and Node have in common.
const COMMON: &str = "\
    AbortController AbortSignal AggregateError Array ArrayBuffer AsyncDisposableStack AsyncIterator Atomics BigInt \
    BigInt64Array BigUint64Array Blob Boolean BroadcastChannel ByteLengthQueuingStrategy CompressionStream \
    CountQueuingStrategy Crypto CryptoKey CustomEvent DOMException DataView Date DecompressionStream DisposableStack \
    Error EvalError Event EventSource EventTarget File FinalizationRegistry Float16Array Float32Array Float64Array \
    FormData Function Headers Infinity Int16Array Int32Array Int8Array Intl Iterator JSON Map Math MessageChannel \
    MessageEvent MessagePort NaN Navigator Number Object Performance Promise Proxy RangeError ReadableStream \
    ReferenceError Reflect RegExp Request Response Set SharedArrayBuffer Storage String SubtleCrypto SuppressedError \
    Symbol SyntaxError Temporal TextDecoder TextEncoder TransformStream TypeError URIError URL URLPattern \
    URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet WebAssembly \
    WebSocket WritableStream arguments atob btoa clearInterval clearTimeout console crypto decodeURI \
    decodeURIComponent encodeURI encodeURIComponent escape eval fetch globalThis hasOwnProperty isPrototypeOf \
    propertyIsEnumerable toString valueOf isFinite isNaN navigator parseFloat parseInt performance queueMicrotask \
    setInterval setTimeout structuredClone undefined unescape";

/// Pages and workers.
const BROWSER: &str = "\
    ActiveXObject Animation Attr Audio AudioContext CDATASection CSS Cache CacheStorage CanvasGradient CanvasPattern \
    CaretPosition CharacterData Clients Clipboard ClipboardItem CloseWatcher Comment CookieStore \
    CustomElementRegistry DataTransfer DataTransferItem DataTransferItemList Document DocumentFragment DocumentType \
    EditContext Element ElementInternals FileList FileReader FileReaderSync FontFace FontFaceSet GamePad Geolocation \
    HTMLCollection Highlight HighlightRegistry History Image ImageBitmap ImageCapture ImageData ImageDecoder \
    KeyframeEffect Location Lock LockManager MathMLElement MimeType MimeTypeArray MutationRecord NamedNodeMap \
    Navigation NetworkInformation Node NodeFilter NodeIterator NodeList Notification OffscreenCanvas \
    OffscreenCanvasRenderingContext2D Option Path2D Permissions Plugin Profiler PublicKeyCredential PushManager \
    PushSubscription RadioNodeList Range ReportingObserver Sanitizer Scheduler Screen Selection Sensor ServiceWorker \
    ServiceWorkerContainer ServiceWorkerRegistration ShadowRoot SharedWorker SourceBuffer StaticRange StyleSheet \
    StyleSheetList Text TimeRanges Touch TouchList TreeWalker TrustedHTML TrustedScript TrustedScriptURL UIEvent \
    UserActivation VTTCue ValidityState VideoDecoder VideoEncoder VideoFrame ViewTransition VisualViewport WakeLock \
    Window Worker WorkerGlobalScope Worklet XMLDocument XMLHttpRequest XMLHttpRequestUpload XMLSerializer \
    XPathEvaluator XPathExpression XPathResult XSLTProcessor addEventListener alert blur caches cancelAnimationFrame \
    cancelIdleCallback captureEvents clients close closed confirm cookieStore createImageBitmap crossOriginIsolated \
    customElements devicePixelRatio dispatchEvent document event external find focus frameElement frames \
    getComputedStyle getSelection history importScripts indexedDB innerHeight innerWidth isSecureContext launchQueue \
    length localStorage location locationbar matchMedia menubar moveBy moveTo name navigation onerror onmessage \
    onload open opener origin outerHeight outerWidth pageXOffset pageYOffset parent personalbar postMessage print \
    prompt registration registerProcessor removeEventListener reportError requestAnimationFrame requestIdleCallback \
    resizeBy resizeTo scheduler screen screenLeft screenTop screenX screenY scroll scrollBy scrollTo scrollX scrollY \
    scrollbars self sessionStorage showDirectoryPicker showOpenFilePicker showSaveFilePicker skipWaiting \
    speechSynthesis status statusbar stop toolbar top trustedTypes visualViewport window";

/// Capitalised interfaces of browsers come in families: these begin their names,
const BROWSER_PREFIXES: &[&str] = &[
    "Audio",
    "BaseAudio",
    "Bluetooth",
    "CSS",
    "Canvas",
    "DOM",
    "Encoded",
    "FileSystem",
    "GPU",
    "Gamepad",
    "HID",
    "HTML",
    "IDB",
    "IntersectionObserver",
    "MIDI",
    "Media",
    "Mutation",
    "Navigation",
    "OffscreenCanvas",
    "Payment",
    "Performance",
    "Presentation",
    "RTC",
    "ReadableStream",
    "Resize",
    "SVG",
    "Serial",
    "SpeechRecognition",
    "SpeechSynthesis",
    "TextTrack",
    "TrustedType",
    "USB",
    "WebGL",
    "WebTransport",
    "Writable",
    "XR",
    "webkit",
];
/// and these end them.
const BROWSER_SUFFIXES: &[&str] = &["Element", "Event", "Node", "Observer", "ObserverEntry", "Stream"];

/// Node, Deno, Bun, and what module loaders provide.
const SERVER: &str = "\
    Buffer Bun Deno HTMLRewriter WebSocketPair __dirname __filename clearImmediate define exports global module \
    process require setImmediate";

/// Extensions of browsers, user scripts, game and bundler environments.
const HOSTS: &str = "\
    $ $bindable $derived $effect $host $inspect $props $state GM browser chrome cordova dataLayer ga google \
    grecaptcha gtag jQuery safari unsafeWindow importShim System Java Packages load quit wx uni my defineProps \
    defineEmits defineExpose defineOptions defineSlots defineModel withDefaults React JSX";

/// Jest, Vitest, Mocha, Jasmine, Cypress, QUnit, WebdriverIO.
const TESTS: &str = "\
    $$ Cypress QUnit after afterAll afterEach assert assertType before beforeAll beforeEach bench browser chai \
    context cy describe driver expect expectTypeOf fail fdescribe fit it jasmine jest mocha onTestFailed pending run \
    setup sinon specify spyOn suite suiteSetup suiteTeardown teardown test vi vitest xdescribe xit xtest should";

/// True for names that need no declaration in the file.
pub(crate) fn is_known(name: &str, is_test: bool) -> bool {
    is_listed(COMMON, name)
        || is_listed(BROWSER, name)
        || is_listed(SERVER, name)
        || is_listed(HOSTS, name)
        || (is_test && is_listed(TESTS, name))
        || is_browser_interface(name)
        || is_build_constant(name)
}

/// The lists are short enough to be read through: a file has few names that it does not declare.
fn is_listed(list: &str, name: &str) -> bool {
    list.split_ascii_whitespace().any(|known| known == name)
}

fn is_browser_interface(name: &str) -> bool {
    let is_capitalised = name.starts_with(|first: char| first.is_ascii_uppercase()) || name.starts_with("webkit");
    is_capitalised
        && (BROWSER_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
            || BROWSER_SUFFIXES.iter().any(|suffix| name.ends_with(suffix)))
}

/// Bundlers replace names like `__DEV__` and `BUILD_ID`.
fn is_build_constant(name: &str) -> bool {
    (name.starts_with("__") && name.len() > 4)
        || (name.len() > 1
            && name.chars().all(|letter| letter.is_ascii_uppercase() || letter.is_ascii_digit() || letter == '_'))
}

#[cfg(test)]
mod tests {
    use super::is_known;

    #[test]
    fn environments_declare_names() {
        for name in [
            "Promise",
            "document",
            "process",
            "HTMLVideoElement",
            "PointerEvent",
            "__DEV__",
            "BUILD_ID",
            "IntersectionObserver",
        ] {
            assert!(is_known(name, false), "{name}");
        }
        for name in ["describe", "vi", "foo", "elment", "Component", "A"] {
            assert!(!is_known(name, false), "{name}");
        }
        assert!(is_known("describe", true) && !is_known("foo", true));
    }
}

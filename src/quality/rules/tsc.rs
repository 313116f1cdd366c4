//! The error codes of TypeScript's compiler that are met most often. What is not listed costs the same.

use crate::category::density;
use tapps_base::finding::{Category, Severity, Tool};
use tapps_base::rule::Rule;

/// What stands for every other code. The cost is that in a file of a hundred logical lines.
pub const OTHER: Rule = Rule {
    tool: Tool::Tsc,
    code: "*",
    aliases: &[],
    category: Category::Maintainability,
    severity: Severity::Medium,
    cost: density::cost(Severity::Medium, 100),
    blocking: false,
    summary: "Every other error of the compiler.",
    help: "",
    explanation: "The message of the compiler says what it expected and what it found.",
    examples: &[],
    cwe: None,
    since: "0.1.0",
};

macro_rules! tsc_rules {
    ($($code:literal $summary:literal;)+) => {
        /// Errors by code.
        pub const RULES: &[Rule] = &[$(Rule { code: $code, summary: $summary, ..OTHER }),+];
    };
}

tsc_rules! {
    "TS1117" "An object literal has two properties of one name.";
    "TS1192" "A module without a default export is imported by default.";
    "TS1259" "A module can be imported by default only with an option that is off.";
    "TS1484" "A type is imported as a value where only types may be elided by name.";
    "TS18004" "A shorthand property names no value that is there.";
    "TS18046" "A value of type unknown is used as if its type were known.";
    "TS18047" "A value that may be null is used.";
    "TS18048" "A value that may be undefined is used.";
    "TS18049" "A value that may be null or undefined is used.";
    "TS2300" "A name is declared twice.";
    "TS2304" "A name cannot be found.";
    "TS2305" "A module has no exported member of that name.";
    "TS2314" "A generic type is used without its type arguments.";
    "TS2322" "A value is assigned to a type that it does not fit.";
    "TS2339" "A property does not exist on a type.";
    "TS2341" "A private member is used outside of its class.";
    "TS2344" "A type argument does not satisfy its constraint.";
    "TS2345" "An argument does not fit the type of its parameter.";
    "TS2349" "What is called cannot be called.";
    "TS2351" "What is constructed has no constructor.";
    "TS2352" "A value is asserted to be of a type that it has too little in common with.";
    "TS2353" "An object literal has a property that its type does not know.";
    "TS2355" "A function that declares a return type returns nothing.";
    "TS2362" "The left side of an arithmetic operation is no number.";
    "TS2363" "The right side of an arithmetic operation is no number.";
    "TS2365" "An operator cannot be applied to values of these types.";
    "TS2367" "A comparison can never be true, since the types have nothing in common.";
    "TS2391" "A function has overloads and no implementation.";
    "TS2393" "A function is implemented twice.";
    "TS2416" "A member of a class does not fit that of the base class.";
    "TS2420" "A class does not implement an interface as it says.";
    "TS2430" "An interface does not fit the one that it extends.";
    "TS2445" "A protected member is used outside of its class and those below it.";
    "TS2451" "A name is declared twice in one block.";
    "TS2454" "A variable is used before it is assigned.";
    "TS2488" "What is iterated over has no iterator.";
    "TS2493" "A tuple is read beyond its end.";
    "TS2511" "An abstract class is instantiated.";
    "TS2515" "A class leaves an abstract member of its base class out.";
    "TS2531" "An object may be null.";
    "TS2532" "An object may be undefined.";
    "TS2533" "An object may be null or undefined.";
    "TS2538" "A value of this type cannot be an index.";
    "TS2540" "A property that is only to be read is assigned.";
    "TS2551" "A property does not exist, and one of a like name does.";
    "TS2552" "A name cannot be found, and one of a like name can.";
    "TS2554" "A call has another number of arguments than the function takes.";
    "TS2555" "A call has fewer arguments than the function takes.";
    "TS2561" "An object literal has a property that its type knows by a like name.";
    "TS2564" "A property of a class is neither initialised nor assigned in the constructor.";
    "TS2571" "An object is of type unknown.";
    "TS2578" "A directive expects an error where there is none.";
    "TS2588" "A constant is assigned.";
    "TS2613" "A module has no default export, and one of that name.";
    "TS2614" "A module has no exported member of that name, and a default export.";
    "TS2654" "A class leaves several abstract members of its base class out.";
    "TS2683" "What this stands for is not known.";
    "TS2684" "A method is called on something that it cannot be called on.";
    "TS2693" "A type is used as a value.";
    "TS2694" "A namespace has no exported member of that name.";
    "TS2720" "A class implements another class, and does not as it says.";
    "TS2724" "A module has no exported member of that name, and one of a like name.";
    "TS2739" "A value lacks properties of the type that it is assigned to.";
    "TS2740" "A value lacks many properties of the type that it is assigned to.";
    "TS2741" "A value lacks a property of the type that it is assigned to.";
    "TS2749" "A value is used as a type.";
    "TS2769" "No overload of a function takes these arguments.";
    "TS2774" "A condition is always true, since it names a function and does not call it.";
    "TS2790" "What is deleted is not optional.";
    "TS2801" "A condition is always true, since it is a promise that is not awaited.";
    "TS2872" "An expression is always truthy.";
    "TS2873" "An expression is always falsy.";
    "TS4104" "What is only to be read is assigned to something that can be changed.";
    "TS4114" "A member overrides one of the base class without saying so.";
    "TS6133" "A name is declared and never read.";
    "TS6138" "A property is declared and never read.";
    "TS6192" "All imports of a declaration are unused.";
    "TS6196" "A type is declared and never used.";
    "TS6198" "All destructured elements are unused.";
    "TS7005" "A variable has the type any without saying so.";
    "TS7006" "A parameter has the type any without saying so.";
    "TS7008" "A member has the type any without saying so.";
    "TS7010" "A function returns the type any without saying so.";
    "TS7015" "An element is indexed by something that is no number, and so has the type any.";
    "TS7018" "A property of a literal has the type any without saying so.";
    "TS7019" "A rest parameter has the type any[] without saying so.";
    "TS7022" "A variable refers to itself and so has the type any.";
    "TS7023" "A function refers to itself and so returns the type any.";
    "TS7027" "Code cannot be reached.";
    "TS7029" "A case of a switch falls through to the next one.";
    "TS7030" "A function returns a value on some paths only.";
    "TS7031" "A binding has the type any without saying so.";
    "TS7034" "A variable has the type any in places where it cannot be determined.";
    "TS7053" "An element has the type any, since its index is not one of the type's.";
}

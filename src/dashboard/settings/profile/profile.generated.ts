/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from 'urql';
export type UpdateProfileMutationVariables = Exact<{
  name: string;
}>;


export type UpdateProfileMutation = { updateProfile: { id: string, name: string } };


export const UpdateProfileDocument = "mutation UpdateProfile($name:String!){updateProfile(name:$name){id name}}" as unknown as DocumentNode<UpdateProfileMutation, UpdateProfileMutationVariables>;